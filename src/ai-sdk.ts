export type { Archive, ArchivedMessage } from "./ai-sdk/archive.ts";
export { fileArchive, memoryArchive } from "./ai-sdk/archives.ts";
export { type CompactedUI, type CompactUIOptions, compactUIMessages } from "./ai-sdk/compact-ui-messages.ts";
export {
	type BoundCompaction,
	type Compaction,
	compactionFor,
	type StepResult,
} from "./ai-sdk/compaction-for.ts";
export type { CompactionOptions } from "./ai-sdk/compaction-options.ts";
export type { BackOff, CompactionRecord, CompactionState, RecordEntry } from "./ai-sdk/compaction-state.ts";
export type { AgentEvent } from "./ai-sdk/events.ts";
export type { StateHooks } from "./ai-sdk/memory.ts";
export { type CompactionMiddleware, compactionMiddleware } from "./ai-sdk/middleware.ts";
export { type RecallInput, type RecallOptions, type RecallTool, recallTool } from "./ai-sdk/recall-tool.ts";
export type { Binding, StepOptions } from "./ai-sdk/step.ts";
export { SUMMARY_PART, type UiSummary } from "./ai-sdk/write-ui.ts";
