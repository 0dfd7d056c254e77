export { type BackendContractOptions, backendContract } from "./testing/backend-contract.ts";
export { assistant, call, deepFreeze, reasoning, result, system, tool, user } from "./testing/builders.ts";
export type { TestFunction } from "./testing/check.ts";
export { generateTranscript, seededRandom } from "./testing/generate-transcript.ts";
export {
	type LoopbackAnswer,
	type LoopbackOptions,
	type LoopbackProvider,
	type LoopbackRequest,
	type LoopbackScript,
	loopbackProvider,
} from "./testing/loopback-provider.ts";
export { type ScriptedAnswer, type ScriptedBackend, scriptedModel } from "./testing/scripted-backend.ts";
export { type StrategyContractOptions, strategyContract } from "./testing/strategy-contract.ts";
