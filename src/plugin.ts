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
export { type Piece, piecesOf, type Voice } from "./core/ledger/pieces.ts";
export { DIGIT, JOINT, LOWER, scanTokens, UNSPACED, UPPER } from "./core/ledger/scan-tokens.ts";
export { collectSecrets, maskSecrets, readSecretHints } from "./core/ledger/secrets.ts";
export { splitModelId } from "./core/model-id.ts";
export { summaryMessage } from "./core/render/envelope.ts";
export { renderSummary } from "./core/render/render-summary.ts";
export type {
	Sections,
	SummarySection,
	Template,
	TemplateDefinition,
	TemplateSection,
} from "./core/template/template.ts";
export { isBlank } from "./core/transcript/blank.ts";
export { isPinned, kindOf, leadingSystemCount, summaryMarkOf } from "./core/transcript/kinds.ts";
export { lastUserIndex } from "./core/transcript/last-user.ts";
export { type Kind, type Message, type Part, partsOf } from "./core/transcript/message.ts";
export { messageTokens, type PartCosts } from "./core/transcript/part-tokens.ts";
export { isReasoning, isSigned, itemsOf, openTurnStart, providerOf } from "./core/transcript/reasoning.ts";
export { CALL, findTies, REQUEST, RESPONSE, RESULT, type Ties } from "./core/transcript/ties.ts";
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
