import {
	type BackOff,
	type CompactionRecord,
	type CompactionState,
	EMPTY_STATE,
	readState,
	storable,
} from "./compaction-state.ts";
import type { SharedPass } from "./shared-pass.ts";

/** Where a host keeps what was done to its conversations. Without hooks it is kept in memory. */
export interface StateHooks {
	/** What {@link StateHooks.save} was given for the conversation last, or nothing. Asked at the start of each call. */
	load?(id: string): unknown;
	/** Keeps the state; awaited, so that what was paid for is not lost with the process. */
	save?(id: string, state: CompactionState): unknown;
}

/** Records of one conversation: several serve histories that were branched. */
const MAX_RECORDS = 8;
/** Records of conversations that the host does not name; they are told apart by what they say. */
const MAX_UNNAMED_RECORDS = 256;
const MAX_BACK_OFFS = 64;
const MAX_CONVERSATIONS = 500;
/** Messages that a history grows by before the next try: twice as many after each failure. */
const FIRST_BACK_OFF = 4;
const LONGEST_BACK_OFF = 64;

/** What is known of one conversation, or of all that have no name. */
export class Conversation {
	readonly id: string | undefined;
	records: readonly CompactionRecord[] = [];
	readonly limits: Map<string, number> = new Map();
	readonly backOffs: Map<string, BackOff> = new Map();
	/** Passes under way, by what they are made of. */
	readonly passes: Map<string, SharedPass<unknown>> = new Map();
	/** Passes that run ahead, by the first message of the history. */
	readonly ahead: Map<string, SharedPass<unknown>> = new Map();
	#saved: Promise<unknown> = Promise.resolve();

	constructor(id: string | undefined) {
		this.id = id;
	}

	/** Takes in a stored state; what is known since stays. */
	adopt(state: CompactionState): void {
		const stored = new Set(state.records.map(({ chain, viewChain }) => `${chain} ${viewChain}`));
		const own = this.records.filter(({ chain, viewChain }) => !stored.has(`${chain} ${viewChain}`));
		this.records = [...state.records, ...own];
		for (const [model, limit] of Object.entries(state.limits)) this.limits.set(model, limit);
		for (const [first, backOff] of Object.entries(state.backOffs)) this.backOffs.set(first, backOff);
	}

	commit(record: CompactionRecord): void {
		const most = this.id === undefined ? MAX_UNNAMED_RECORDS : MAX_RECORDS;
		this.records = [...this.records, record].slice(-most);
		this.backOffs.delete(record.first);
	}

	/** Whether a pass was tried in vain so lately that another would be money thrown after it. */
	isBackingOff(first: string, length: number): boolean {
		const backOff = this.backOffs.get(first);
		return backOff !== undefined && length < backOff.until && length >= backOff.until - LONGEST_BACK_OFF;
	}

	/** @param isHopeless whether the same try cannot succeed later */
	backOff(first: string, length: number, isHopeless: boolean): void {
		const failures = (this.backOffs.get(first)?.failures ?? 0) + 1;
		const pause = isHopeless
			? LONGEST_BACK_OFF
			: Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2 ** (failures - 1));
		this.backOffs.delete(first);
		this.backOffs.set(first, { failures, until: length + pause });
		for (const oldest of this.backOffs.keys()) {
			if (this.backOffs.size <= MAX_BACK_OFFS) break;
			this.backOffs.delete(oldest);
		}
	}

	get state(): CompactionState {
		return storable({
			...EMPTY_STATE,
			records: this.records,
			limits: Object.fromEntries(this.limits),
			backOffs: Object.fromEntries(this.backOffs),
		});
	}

	/** Runs one save after the other, so that an older state never comes last. */
	inTurn(save: () => unknown): Promise<unknown> {
		this.#saved = this.#saved.then(save, save);
		return this.#saved;
	}
}

/** The conversations of a compaction. */
export class Memory {
	readonly #hooks: StateHooks;
	readonly #fault: (stage: "load" | "save", id: string | undefined, error: unknown) => void;
	readonly #known = new Map<string | undefined, Conversation>();

	constructor(
		hooks: StateHooks,
		fault: (stage: "load" | "save", id: string | undefined, error: unknown) => void,
	) {
		this.#hooks = hooks;
		this.#fault = fault;
	}

	get conversations(): Iterable<Conversation> {
		return this.#known.values();
	}

	/** @param isFirst whether a call begins, so that the host is asked for what it has */
	async open(id: string | undefined, isFirst: boolean): Promise<Conversation> {
		const known = this.#known.get(id);
		const conversation = known ?? new Conversation(id);
		this.#known.delete(id);
		this.#known.set(id, conversation);
		for (const oldest of this.#known.keys()) {
			if (this.#known.size <= MAX_CONVERSATIONS) break;
			this.#known.delete(oldest);
		}
		if (id !== undefined && this.#hooks.load !== undefined && (isFirst || known === undefined)) {
			try {
				conversation.adopt(readState(await this.#hooks.load(id)));
			} catch (error) {
				this.#fault("load", id, error);
			}
		}
		return conversation;
	}

	/** Hands the state to the host; a host that cannot keep it harms no request. */
	async save(conversation: Conversation): Promise<void> {
		const { id } = conversation;
		if (id === undefined || this.#hooks.save === undefined) return;
		await conversation.inTurn(async () => {
			try {
				await this.#hooks.save?.(id, conversation.state);
			} catch (error) {
				this.#fault("save", id, error);
			}
		});
	}
}
