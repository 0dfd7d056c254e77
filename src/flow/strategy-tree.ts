import type { Host } from "../backend/host.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { create } from "../registry/create.ts";
import type { CompositeStrategy, PlanningStrategy, Use } from "../strategy/contract.ts";
import { isolateStrategy } from "./isolate.ts";
import type { ResolvedConfig } from "./resolve-config.ts";

/** A strategy ready to run: a planner, or a composite of further ones. */
export type StrategyNode =
	| { readonly name: string; readonly planner: PlanningStrategy }
	| {
			readonly name: string;
			readonly until: CompositeStrategy["until"];
			readonly steps: readonly StrategyNode[];
	  };

/** How deep composites may nest: one that makes itself up again would never end. */
const MAX_DEPTH = 16;

async function build(
	resolved: ResolvedConfig,
	use: Use,
	pointer: string,
	host: Host,
	depth: number,
): Promise<StrategyNode> {
	const found = await resolved.use("strategy", use, pointer);
	if (depth > MAX_DEPTH) {
		throw new CompactionError(
			"PLUGIN_INVALID",
			`Cannot use the strategy "${use.use}": it nests more than ${MAX_DEPTH} deep.`,
		);
	}
	const strategy = await create(found, host);
	if (strategy.steps === undefined) {
		return { name: use.use, planner: found.registered.builtin ? strategy : isolateStrategy(strategy) };
	}
	const steps: StrategyNode[] = [];
	for (const [index, step] of strategy.steps.entries()) {
		steps.push(await build(resolved, step, `${pointer}/steps/${index}`, host, depth + 1));
	}
	return { name: use.use, until: strategy.until, steps };
}

/** Creates a config's strategy with all that it is made of; a list is a pipeline. */
export async function buildStrategy(resolved: ResolvedConfig, host: Host): Promise<StrategyNode> {
	const written = resolved.config.strategy;
	if (!Array.isArray(written)) return build(resolved, written as Use, "/strategy", host, 0);
	const steps: StrategyNode[] = [];
	for (const [index, step] of (written as readonly Use[]).entries()) {
		steps.push(await build(resolved, step, `/strategy/${index}`, host, 0));
	}
	return { name: "pipeline", until: "end", steps };
}

/** Creates a pipeline that stands in no config: it stops as soon as the target is met. */
export async function buildLadder(
	resolved: ResolvedConfig,
	uses: readonly Use[],
	host: Host,
): Promise<StrategyNode> {
	const steps: StrategyNode[] = [];
	for (const [index, step] of uses.entries())
		steps.push(await build(resolved, step, `/ladder/${index}`, host, 0));
	return { name: "pipeline", until: "fits", steps };
}

/** Whether a strategy, or one that it is made of, asks for summaries. */
export function summarizes(node: StrategyNode): boolean {
	return "planner" in node ? node.planner.summarizes === true : node.steps.some(summarizes);
}
