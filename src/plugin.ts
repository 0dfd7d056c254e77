export type {
	Backend,
	BackendAnswer,
	BackendContext,
	BackendEvent,
	BackendLimits,
	CompactionReason,
	GenerateAnswer,
	GenerateRequest,
	GeneratingBackend,
	Guidance,
	PreviousSummary,
	SummarizingBackend,
	SummaryRequest,
	Usage,
} from "./backend/contract.ts";
export type { Host, ModelFacts } from "./backend/host.ts";
export type { Edit } from "./core/edits/edit.ts";
export type {
	Sections,
	SummarySection,
	Template,
	TemplateDefinition,
	TemplateSection,
} from "./core/template/template.ts";
export { isPinned, kindOf, leadingSystemCount, summaryMarkOf } from "./core/transcript/kinds.ts";
export { type Kind, type Message, type Part, partsOf } from "./core/transcript/message.ts";
export type { Units } from "./core/transcript/units.ts";
export { CompactionError, isCompactionError } from "./errors/compaction-error.ts";
export type * from "./generated/types.ts";
export type {
	BackendDefinition,
	Counter,
	CounterDefinition,
	Definition,
	Plugin,
	StrategyDefinition,
	Trigger,
	TriggerDefinition,
	TriggerState,
} from "./registry/contract.ts";
export {
	defineBackend,
	defineCounter,
	definePlugin,
	defineStrategy,
	defineTrigger,
} from "./registry/define.ts";
export type { CompositeStrategy, PlanContext, PlanningStrategy, Strategy, Use } from "./strategy/contract.ts";
