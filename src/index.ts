export type {
	Backend,
	CompactionReason,
	Guidance,
	PreviousSummary,
	SummaryRequest,
	Usage,
} from "./backend/contract.ts";
export type { Edit, Provenance } from "./core/edits/edit.ts";
export { parseSummary } from "./core/parse/parse-summary.ts";
export { renderSummary } from "./core/render/render-summary.ts";
export type {
	Sections,
	SummarySection,
	Template,
	TemplateDefinition,
	TemplateSection,
} from "./core/template/template.ts";
export { templateSchema } from "./core/template/template-schema.ts";
export type { Kind } from "./core/transcript/message.ts";
export { trimSummary } from "./core/trim/trim-summary.ts";
export { ERROR_CODES, type ErrorCode } from "./errors/codes.ts";
export { CompactionError, isCompactionError, type Problem } from "./errors/compaction-error.ts";
export type { Assessment, TriggerQuestion } from "./flow/assess.ts";
export type {
	CompactionEvent,
	CompactOptions,
	Compactor,
	CompactorOptions,
} from "./flow/create-compactor.ts";
export { createRegistry } from "./flow/create-registry.ts";
export { compact, createCompactor, loadConfig } from "./flow/entry.ts";
export type { LoadConfigOptions, LoadedConfig } from "./flow/load-config.ts";
export type * from "./generated/types.ts";
export type { Plugin } from "./registry/contract.ts";
export type { Registry } from "./registry/registry.ts";
export type {
	CommittedSummary,
	CompactionPlan,
	CompactionResult,
	LogEntry,
	PassUsage,
	TokenFigures,
} from "./result/compaction-result.ts";
export {
	dropFailedToolResults,
	dropReasoning,
	keepRecent,
	summarizeOlder,
} from "./strategy/fluent.ts";
export { isEqual, type StrategyConfig } from "./strategy/strategy-config.ts";
