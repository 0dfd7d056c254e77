/** The id of a section. The canonical four are named; any other is legal everywhere. */
export type SummarySection =
	| "key_facts"
	| "decisions"
	| "pending_tasks"
	| "open_questions"
	| (string & Record<never, never>);

/** A section of a resolved template. */
export interface TemplateSection {
	readonly id: SummarySection;
	/** The heading text. */
	readonly title: string;
	/** One sentence that tells the model what belongs here. */
	readonly purpose: string;
	/** Other headings and JSON keys that mean this section. */
	readonly aliases: readonly string[];
	/** Entries kept at most. */
	readonly maxItems: number;
}

/** A resolved template: the one list that drives prompt, parse, render, telemetry and structured output. */
export interface Template {
	readonly name: string;
	readonly header: string;
	readonly sections: readonly TemplateSection[];
}

/** A template as users write it: canonical sections by id alone, `extends` for a preset. */
export interface TemplateDefinition {
	readonly extends?: string;
	readonly header?: string;
	readonly sections?: readonly (
		| string
		| {
				readonly id: string;
				readonly title: string;
				readonly purpose: string;
				readonly aliases?: readonly string[];
				readonly maxItems?: number;
		  }
	)[];
}

/** Entries by section id. */
export type Sections = Readonly<Record<string, readonly string[]>>;
