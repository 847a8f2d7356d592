/** What the panel knows, what it shows of that, and the one send that it makes at most. */
import { type Draft, readDraft, textOf, type ToolResult } from "./draft.ts";
import { revealHidden } from "./hidden.ts";
import { type Outcome, readError, readOutcome } from "./outcome.ts";
import { type Language, TEXTS, type Texts } from "./texts.ts";

/** After this long without an answer the panel says that it still waits, in milliseconds. */
const SLOW_MS = 10_000;

/** Where a panel stands; also for styles. */
export type State = "waiting" | "none" | "blocked" | "arming" | "ready" | "sending" | Outcome["outcome"];

/** Everything that is drawn. An absent text is not drawn. */
export interface Shown {
  readonly language: Language;
  readonly state: State;
  readonly title: string;
  /** Instead of a draft. */
  readonly note?: string;
  readonly draft?: ShownDraft;
  /** Told to people who cannot see it, too. */
  readonly status: string;
}

/** A draft in words. */
export interface ShownDraft {
  readonly chat: string;
  readonly quote?: string;
  readonly label: string;
  readonly text: string;
  /** While the end of the text is out of sight. */
  readonly more: string;
  readonly counts: string;
  readonly hidden?: string;
  readonly effect: string;
  readonly send: string;
  /** Why it cannot be sent. */
  readonly blocked?: string;
}

/** Calls `invoke_action` through the client. */
export type Send = (draft: Draft) => Promise<ToolResult>;

/** Remembers what was sent from this frame; see `memory.ts`. */
export interface Memory {
  readonly wasSent: (draft: Draft) => boolean;
  readonly markSent: (draft: Draft) => void;
}

/** One panel: one draft, and at most one send of it. */
export class Panel {
  #language: Language;
  #draft: Draft | undefined;
  #note: "noHost" | "cancelled" | "noDraft" | undefined;
  /** What the server said instead of a draft. */
  #reason = "";
  #canCall = false;
  #isArmed = false;
  #wasSent = false;
  #isSending = false;
  #isSlow = false;
  #gotAnother = false;
  #outcome: Outcome | undefined;
  readonly #draw: (shown: Shown) => void;
  readonly #memory: Memory;

  /**
   * @param draw Draws what is shown, again after every change.
   * @param memory What outlives the page.
   */
  constructor(language: Language, draw: (shown: Shown) => void, memory: Memory) {
    this.#language = language;
    this.#draw = draw;
    this.#memory = memory;
  }

  set language(language: Language) {
    this.#language = language;
    this.#changed();
  }

  /** Whether the client lets panels call tools; so there is one. */
  set canCall(canCall: boolean) {
    this.#canCall = canCall;
    if (this.#note === "noHost") this.#note = undefined;
    this.#changed();
  }

  /** From now on the draft may be sent. Before, a click may have been meant for what was in its place. */
  arm(): void {
    this.#isArmed = true;
    this.#changed();
  }

  /** Takes the answer that the panel was opened for. The first draft stays: nothing changes under a finger. */
  take(result: ToolResult): void {
    const draft = readDraft(result);
    if (this.#draft !== undefined) {
      this.#gotAnother ||= JSON.stringify(draft?.sends) !== JSON.stringify(this.#draft.sends);
    } else if (draft !== undefined) {
      this.#draft = draft;
      this.#wasSent = this.#memory.wasSent(draft);
    } else {
      this.#note = "noDraft";
      this.#reason = result.isError ? revealHidden(textOf(result)).shown : "";
    }
    this.#changed();
  }

  /** Says why there is no draft, unless there is one. */
  giveUp(why: "noHost" | "cancelled"): void {
    this.#note = why;
    this.#reason = "";
    this.#changed();
  }

  /**
   * Sends the draft, if it may be sent and this is the first time; then never again, whatever became of it.
   *
   * @returns What became of it; nothing when it was not sent.
   */
  async send(call: Send): Promise<Outcome | undefined> {
    if (this.#state !== "ready" || this.#draft === undefined) return undefined;
    this.#isSending = true;
    this.#memory.markSent(this.#draft);
    this.#changed();
    const slow = setTimeout(() => {
      this.#isSlow = true;
      this.#changed();
    }, SLOW_MS);
    try {
      this.#outcome = readOutcome(await call(this.#draft));
    } catch (error) {
      this.#outcome = readError(error);
    }
    clearTimeout(slow);
    this.#changed();
    return this.#outcome;
  }

  get #state(): State {
    if (this.#outcome !== undefined) return this.#outcome.outcome;
    if (this.#isSending) return "sending";
    if (this.#wasSent) return "unknown";
    if (this.#draft === undefined) return this.#note === undefined ? "waiting" : "none";
    if (!this.#canCall || this.#draft.blocked !== undefined) return "blocked";
    return this.#isArmed ? "ready" : "arming";
  }

  #changed(): void {
    const texts = TEXTS[this.#language];
    const draft = this.#draft;
    this.#draw({
      language: this.#language,
      state: this.#state,
      title: texts.title,
      ...(draft === undefined
        ? { note: `${texts[this.#note ?? "waiting"]} ${this.#reason}`.trim() }
        : { draft: this.#show(draft) }),
      status: [this.#describe(texts), this.#gotAnother ? texts.ignored : ""].join(" ").trim(),
    });
  }

  #show(draft: Draft): ShownDraft {
    const texts = TEXTS[this.#language];
    const { shown, count } = revealHidden(draft.text);
    const why = draft.blocked !== undefined
      ? draft.blocked.kind === "mode" ? texts.wrongMode : texts.refused(revealHidden(draft.blocked.message).shown)
      : this.#canCall
      ? undefined
      : texts.noTools;
    return {
      chat: texts.chat(draft),
      ...(draft.replyTo !== undefined && { quote: texts.quote(draft.replyTo) }),
      label: texts.message,
      text: shown,
      more: texts.more,
      counts: texts.counts(countCharacters(draft.text), draft.replyTo === undefined ? 1 : 2),
      ...(count > 0 && { hidden: texts.hidden(count) }),
      effect: texts.effect(draft),
      send: texts.send,
      ...(why !== undefined && { blocked: why }),
    };
  }

  #describe(texts: Texts): string {
    const outcome = this.#outcome;
    if (this.#wasSent) return texts.reloaded;
    if (outcome === undefined) return this.#isSending ? this.#isSlow ? texts.slow : texts.sending : "";
    if (outcome.outcome === "success") return texts.success(outcome.messageId);
    return texts[outcome.outcome](revealHidden(outcome.reason).shown);
  }
}

/** As people count them: an emoji of several code points is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of new Intl.Segmenter().segment(text)) count++;
  return count;
}
