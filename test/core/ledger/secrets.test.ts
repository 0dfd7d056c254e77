import { describe, expect, test } from "vitest";
import { collectSecrets, maskSecrets } from "../../../src/core/ledger/secrets.ts";

/** Put together at run time: no whole key stands in this file. */
const key = (...parts: readonly string[]): string => parts.join("");

const ISSUED = [
	key("sk-", "proj-", "Ab12Cd34Ef56Gh78Ij90"),
	key("sk-ant-", "api03-", "Zx81Qw72Er63Ty54"),
	key("ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"),
	key("github", "_pat_", "11ABCDEFG0123456789_abcdefghij"),
	key("glpat", "-", "xY12zW34vU56tS78rQ90"),
	key("xoxb", "-", "123456789012-abcdefghijkl"),
	key("AKIA", "IOSFODNN7EXAMPLE"),
	key("AIza", "SyA1234567890abcdefghijklmnopqrstu"),
	key("eyJ", "hbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxIn0", ".", "c2lnbmF0dXJl"),
	key("npm", "_", "abcdefghijklmnopqrstuvwxyz0123456789"),
];

describe("secrets", () => {
	test.each(ISSUED)("an issued key or token is masked wherever it stands: %s", (secret) => {
		expect(maskSecrets(`We use "${secret}" for now.`, new Set())).not.toContain(secret);
		expect(maskSecrets(`We use ${secret}.`, new Set())).toContain("We use …");
	});

	test.each([
		["password: hunter2", "hunter2"],
		["The password is s3cretPass.", "s3cretPass"],
		["DB_PASSWORD=correcthorse", "correcthorse"],
		['"password": "correct-horse"', "correct-horse"],
		["mysql --password hunter2 -u root", "hunter2"],
		["API_KEY=abcd1234efgh5678", "abcd1234efgh5678"],
		['{"api_key": "0123456789abcdef0123"}', "0123456789abcdef0123"],
		["Authorization: Bearer abc123def456ghi789", "abc123def456ghi789"],
		["client_secret: kJh23-kjh", "kJh23-kjh"],
		["postgres://app:pa55word@db.test/app", "pa55word"],
		["密码：abc12345", "abc12345"],
		["Passwort: Sonne2024", "Sonne2024"],
	])("a value that the text names as secret is masked: %s", (text, secret) => {
		expect(maskSecrets(text, new Set())).not.toContain(secret);
	});

	test("a secret that is known from elsewhere is masked without its name", () => {
		const known = new Set<string>();
		collectSecrets("PASSWORD=correcthorse", known);
		expect(maskSecrets("Log in with correcthorse as root.", known)).toBe("Log in with … as root.");
	});

	test.each([
		"maxTokens: 6000 and token: string",
		"The token is missing.",
		"password: string",
		"password: process.env.PASSWORD",
		"See src/auth/token-store.ts and docs/keys.md",
		"commit 3f2a9bc4d5e6f708192a3b4c5d6e7f8091a2b3c4",
		"TestDefaultConfigTemplateParsesWhenUncommented",
		"550e8400-e29b-41d4-a716-446655440000",
		"Press the key: Enter",
	])("what is none stays: %s", (text) => {
		expect(maskSecrets(text, new Set())).toBe(text);
	});
});
