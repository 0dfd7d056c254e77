import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOpenAICompatible6 } from "@ai-sdk/openai-compatible6";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import { expect, test } from "vitest";
import { compactionFor, compactionMiddleware, memoryArchive, recallTool } from "../../src/ai-sdk.ts";
import { CONFIG } from "./support/start.ts";

// What matters here is that it compiles: one line, with no cast, in both versions.
test("the types of both versions take what is made here", async () => {
	const compaction = await compactionFor(CONFIG);
	const { prepareStep } = compaction;
	const recall = recallTool(memoryArchive());
	const middleware = compactionMiddleware(CONFIG);
	const settings = { name: "local", baseURL: "http://127.0.0.1:9" };

	const model7 = createOpenAICompatible(settings)("m");
	const wrapped7 = ai7.wrapLanguageModel({ model: model7, middleware });
	expect(new ai7.ToolLoopAgent({ model: wrapped7, tools: { recall }, prepareStep })).toBeDefined();
	const own7: ai7.PrepareStepFunction<ai7.ToolSet> = compaction.compose(
		({ stepNumber }: Parameters<ai7.PrepareStepFunction<ai7.ToolSet>>[0]) => ({ temperature: stepNumber }),
	);
	expect(own7).toBeTypeOf("function");

	const model6 = createOpenAICompatible6(settings)("m");
	const wrapped6 = ai6.wrapLanguageModel({ model: model6, middleware });
	expect(new ai6.ToolLoopAgent({ model: wrapped6, tools: { recall }, prepareStep })).toBeDefined();
	const bound6: ai6.PrepareStepFunction = compaction.forCall({ id: "chat" }).prepareStep;
	expect(bound6).toBeTypeOf("function");
});
