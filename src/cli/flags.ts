/** The flags that every verb takes. */
export interface CommonFlags {
	readonly config?: string;
	readonly plugins: boolean;
	readonly json?: boolean;
	readonly quiet?: boolean;
	readonly color: boolean;
}

/** The flags of the verbs that read a transcript. */
export interface TranscriptFlags extends CommonFlags {
	readonly keepLast?: number;
	readonly model?: string;
	readonly force?: boolean;
}

export interface CompactFlags extends TranscriptFlags {
	readonly output?: string;
	readonly inPlace?: boolean;
	readonly archive?: string;
}

export interface TemplateFlags extends CommonFlags {
	readonly template?: string;
}

export interface TrimFlags extends TemplateFlags {
	/** Tokens. */
	readonly budget: number;
}

export interface SchemaFlags extends CommonFlags {
	readonly output?: string;
}

export interface CodegenFlags extends CommonFlags {
	readonly output: string;
	readonly checker?: string;
	readonly check?: boolean;
	readonly watch?: boolean;
}

export interface NewFlags extends CommonFlags {
	readonly backend?: boolean;
	readonly strategy?: boolean;
}

export interface ModelsFlags extends CommonFlags {
	readonly refresh?: boolean;
}

export interface EvalFlags extends CommonFlags {
	/** The configs to compare. */
	readonly configs?: readonly string[];
	/** Shares of the evicted tokens, as written. */
	readonly budgets?: string;
}
