import type { CompactionReason } from "../backend/contract.ts";
import type { Host } from "../backend/host.ts";
import type { TriggerState } from "../registry/contract.ts";
import { create } from "../registry/create.ts";
import type { Use } from "../strategy/contract.ts";
import type { ResolvedConfig } from "./resolve-config.ts";

/** A trigger ready to be asked. */
export interface TriggerNode {
	/** Why the transcript should be compacted now, or undefined. */
	check(state: TriggerState): CompactionReason | undefined;
	/** Token thresholds of it and of all that it is made of. */
	thresholds(windowTokens: number): readonly number[];
}

/** The trigger of a config that names none. */
const DEFAULT_TRIGGER: Use = { use: "context-window" };

async function build(resolved: ResolvedConfig, use: Use, pointer: string, host: Host): Promise<TriggerNode> {
	const trigger = await create(await resolved.use("trigger", use, pointer), host);
	if (trigger.of === undefined) {
		return {
			check(state) {
				const detail = trigger.check(state);
				return detail === undefined ? undefined : { trigger: use.use, detail };
			},
			thresholds(windowTokens) {
				const tokens = trigger.thresholdTokens?.(windowTokens);
				return tokens === undefined ? [] : [tokens];
			},
		};
	}
	const { mode } = trigger;
	const nodes: TriggerNode[] = [];
	for (const [index, inner] of trigger.of.entries())
		nodes.push(await build(resolved, inner, `${pointer}/of/${index}`, host));
	return {
		check(state) {
			const reasons: CompactionReason[] = [];
			for (const node of nodes) {
				const reason = node.check(state);
				if (reason === undefined && mode === "all") return undefined;
				if (reason === undefined) continue;
				if (mode === "any") return reason;
				reasons.push(reason);
			}
			return reasons.length === 0
				? undefined
				: { trigger: use.use, detail: reasons.map(({ detail }) => detail).join(" ") };
		},
		thresholds: (windowTokens) => nodes.flatMap((node) => node.thresholds(windowTokens)),
	};
}

/** Creates a config's trigger with all that it is made of. */
export function buildTrigger(resolved: ResolvedConfig, host: Host): Promise<TriggerNode> {
	return build(resolved, resolved.config.trigger ?? DEFAULT_TRIGGER, "/trigger", host);
}
