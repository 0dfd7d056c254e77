import { cpuUsage } from "node:process";

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
	return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** What is timed. It may prepare first, untimed, and hand on what it made. */
export interface Task {
	readonly prepare?: () => unknown;
	readonly run: (prepared: unknown) => unknown;
}

/** Milliseconds of processor time that this process has had, helper threads included. */
function processorTime(): number {
	const { user, system } = cpuUsage();
	return (user + system) / 1000;
}

/**
 * Milliseconds that each task takes, the median over rounds in which they take turns. Processor time: on a machine
 * that others use too, the clock would measure them.
 */
export async function timeInTurns<Name extends string>(
	tasks: Readonly<Record<Name, Task>>,
	rounds: number,
): Promise<Record<Name, number>> {
	const names = Object.keys(tasks) as Name[];
	const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
	// Two rounds that do not count warm everything up.
	for (let round = -2; round < rounds; round += 1) {
		for (const name of names) {
			const task = tasks[name];
			const prepared = await task.prepare?.();
			const start = processorTime();
			await task.run(prepared);
			const took = processorTime() - start;
			if (round >= 0) figures[name].push(took);
		}
	}
	return Object.fromEntries(names.map((name) => [name, median(figures[name])])) as Record<Name, number>;
}

/** A ratio with two digits that say something. */
export function ratio(value: number, to: number): string {
	const found = value / to;
	return found >= 100 ? found.toFixed(0) : found >= 10 ? found.toFixed(1) : found.toFixed(2);
}
