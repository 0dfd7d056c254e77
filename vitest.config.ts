import { resolve } from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const source = (name: string): string => resolve(import.meta.dirname, "src", name);

const config: ViteUserConfig = defineConfig({
	resolve: {
		// The examples name the package, as its users do; tests run them on the sources.
		alias: { "precis/ai-sdk": source("ai-sdk.ts"), "precis/testing": source("testing.ts") },
	},
	test: {
		include: ["test/**/*.test.ts"],
		testTimeout: 30_000,
		setupFiles: ["test/support/setup.ts"],
	},
});

export default config;
