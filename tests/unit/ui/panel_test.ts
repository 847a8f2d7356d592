import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { sendCall } from "../../../lib/onebot/draft.ts";
import type { Draft, ToolResult } from "../../../ui/draft.ts";
import { Panel, type Shown } from "../../../ui/panel.ts";
import { TEXTS } from "../../../ui/texts.ts";
import { verifies } from "../../requirements.ts";

const HELLO = { message_type: "group", target_id: 20001, text: "Hello" } as const;
const MODE = { kind: "mode", message: "Cannot call it: the mode is read", next_step: "Ask." };
const ERROR: ToolResult = { isError: true, content: [{ type: "text", text: "Cannot draft: no\u202etext. Give one." }] };

/** The answer of `preview_message`; in write mode unless told otherwise. */
function answer(draft: Parameters<typeof sendCall>[0] = HELLO, verdict: object = { can_send: true }): ToolResult {
  return { structuredContent: { result: { invoke_action: sendCall(draft), ...verdict } } };
}

/** The answer of `invoke_action`. */
function ended(outcome: string, more: object = {}): ToolResult {
  return {
    structuredContent: { result: { data: { message_id: 77 } }, diagnostics: { outcome, ...more } },
    isError: outcome !== "success",
  };
}

/** A panel, what it drew, and the calls that it made; these end when the test says so. */
class Bench {
  readonly drawn: Shown[] = [];
  readonly calls: Draft[] = [];
  readonly panel: Panel = new Panel("en", (shown) => this.drawn.push(shown), this);
  readonly #answer: PromiseWithResolvers<ToolResult> = Promise.withResolvers();

  /** With a draft that is ready to be sent. */
  static ready(result: ToolResult = answer()): Bench {
    const bench = new Bench();
    bench.panel.canCall = true;
    bench.panel.take(result);
    bench.panel.arm();
    return bench;
  }

  readonly sent = new Set<string>();

  wasSent(draft: Draft): boolean {
    return this.sent.has(JSON.stringify(draft));
  }

  markSent(draft: Draft): void {
    this.sent.add(JSON.stringify(draft));
  }

  get last(): Shown {
    const shown = this.drawn.at(-1);
    ok(shown, "something is drawn");
    return shown;
  }

  send(): ReturnType<Panel["send"]> {
    return this.panel.send((draft) => {
      this.calls.push(draft);
      return this.#answer.promise;
    });
  }

  /** Ends the calls. */
  end(result: ToolResult): void {
    this.#answer.resolve(result);
  }

  /** Ends the calls without an answer. */
  break(error: unknown): void {
    this.#answer.reject(error);
  }
}

Deno.test("Panel shows the draft in words", () => {
  verifies("panel-draft");
  deepStrictEqual(Bench.ready(answer({ ...HELLO, reply_to: -123456 })).last, {
    language: "en",
    state: "ready",
    title: "Message draft",
    draft: {
      chat: "Group 20001",
      quote: "Reply to message -123456",
      label: "Text of the message",
      text: "Hello",
      more: "The text goes on. Scroll it to read the rest.",
      counts: "5 characters, 2 segments",
      effect:
        "Sending posts this text, letter by letter, in group 20001 from the bot's account. Real people will see it.",
      send: "Send",
    },
    status: "",
  });
  const { draft } = Bench.ready(answer({ message_type: "private", target_id: 10001, text: "!" })).last;
  strictEqual(draft?.chat, "Private chat with 10001");
  strictEqual(draft.counts, "1 character, 1 segment");
  strictEqual("quote" in draft || "hidden" in draft || "blocked" in draft, false);
  match(draft.effect, /to user 10001 /);
});

Deno.test("Panel counts characters as people do", () => {
  verifies("panel-draft");
  const texts = { "é e\u0301": 3, "👨‍👩‍👧‍👦": 1, "🇨🇳🇺🇳": 2, "👍🏿1️⃣": 2, "a\r\nb": 3, "中文": 2, "क्षि": 1, "\u202ea": 2 };
  for (const [text, count] of Object.entries(texts)) {
    const { draft } = Bench.ready(answer({ ...HELLO, text })).last;
    match(draft?.counts ?? "", new RegExp(`^${count} characters?, 1 segment$`), text);
  }
  match(Bench.ready(answer({ ...HELLO, text: "文".repeat(65_536) })).last.draft?.counts ?? "", /^65536 characters/);
});

Deno.test("Panel names hidden characters wherever it shows what others wrote", async () => {
  verifies("panel-text-only");
  const { draft } = Bench.ready(answer({ ...HELLO, text: "<b>\u202eevil\u200b</b>" })).last;
  strictEqual(draft?.text, "<b>⟦U+202E⟧evil⟦U+200B⟧</b>");
  match(draft.hidden ?? "", /^2 hidden characters /);
  match(Bench.ready(answer({ ...HELLO, text: "a\0" })).last.draft?.hidden ?? "", /^1 hidden character /);
  for (const outcome of ["failed", "unknown"]) {
    const bench = Bench.ready();
    bench.end(ended(outcome, { message: "No\u202e" }));
    await bench.send();
    match(bench.last.status, /No⟦U\+202E⟧/);
  }
  const blocked = Bench.ready(answer(HELLO, { can_send: false, blocked: { kind: "risk", message: "No\u2066" } }));
  match(blocked.last.draft?.blocked ?? "", /No⟦U\+2066⟧/);
  strictEqual(Bench.ready(ERROR).last.note, `${TEXTS.en.noDraft} Cannot draft: no⟦U+202E⟧text. Give one.`);
});

Deno.test("Panel.send() hands over the very arguments that preview_message gave", async () => {
  verifies("panel-shown-sent");
  for (const message_type of ["group", "private"] as const) {
    const draft = { message_type, target_id: 2 ** 53 - 1, text: "[CQ:at,qq=all]\u202e", reply_to: -1 };
    const result = answer(draft);
    const bench = Bench.ready(result);
    Object.assign(result, answer({ ...draft, text: "Bye" })); // what is held elsewhere changes nothing
    bench.end(ended("success"));
    await bench.send();
    deepStrictEqual(bench.calls.map(({ sends }) => sends), [sendCall(draft)]);
  }
});

Deno.test("Panel.send() calls once however often it is asked, and whatever came of it", async (t) => {
  verifies("panel-once");
  const endings: Record<string, (bench: Bench) => void> = {
    success: (bench) => bench.end(ended("success")),
    failed: (bench) => bench.end(ended("failed", { message: "No" })),
    unknown: (bench) => bench.end(ended("unknown", { message: "Cut" })),
    "unknown, by an error": (bench) => bench.break(new Error("timed out")),
    "failed, by an error": (bench) => bench.break(Object.assign(new Error("no such method"), { code: -32601 })),
    "unknown, by no error at all": (bench) => bench.break(undefined),
    "unknown, by an answer that is none": (bench) => bench.end(undefined as unknown as ToolResult),
  };
  for (const [name, end] of Object.entries(endings)) {
    await t.step(name, async () => {
      const bench = Bench.ready();
      const sends = Array.from({ length: 20 }, () => bench.send());
      strictEqual(bench.calls.length, 1);
      strictEqual(bench.last.state, "sending");
      end(bench);
      const outcomes = await Promise.all(sends);
      deepStrictEqual(outcomes.map((outcome) => outcome?.outcome), [name.split(",")[0], ...Array(19).fill(undefined)]);
      strictEqual(bench.last.state, name.split(",")[0]);
      for (const redraw of redraws(bench.panel)) {
        redraw();
        strictEqual(await bench.send(), undefined);
      }
      strictEqual(bench.calls.length, 1);
    });
  }
});

Deno.test("Panel.send() survives a call that breaks at once", async () => {
  verifies("panel-once", "panel-outcomes");
  const bench = Bench.ready();
  const outcome = await bench.panel.send(() => {
    throw new Error("Not connected");
  });
  deepStrictEqual(outcome, { outcome: "unknown", reason: "Not connected" });
  strictEqual(bench.last.state, "unknown");
  strictEqual(await bench.send(), undefined);
  deepStrictEqual(bench.calls, []);
});

/** Everything that draws a panel anew without being a click. */
function redraws(panel: Panel): (() => void)[] {
  return [
    () => panel.language = "zh",
    () => panel.language = "en",
    () => panel.canCall = false,
    () => panel.canCall = true,
    () => panel.take(answer()),
    () => panel.take(answer({ ...HELLO, text: "Bye" })),
    () => panel.take(ERROR),
    () => panel.giveUp("cancelled"),
    () => panel.giveUp("noHost"),
  ];
}

Deno.test("Panel stays in its state while it sends and afterwards, whatever redraws it", async () => {
  verifies("panel-once");
  const bench = Bench.ready();
  const sent = bench.send();
  for (const redraw of redraws(bench.panel)) {
    redraw();
    strictEqual(bench.last.state, "sending");
    strictEqual(bench.last.draft?.text, "Hello");
    strictEqual(await bench.send(), undefined);
  }
  bench.end(ended("success"));
  await sent;
  for (const redraw of redraws(bench.panel)) {
    redraw();
    strictEqual(bench.last.state, "success");
    strictEqual(bench.last.draft?.text, "Hello");
    match(bench.last.status, /77/);
  }
  strictEqual(bench.calls.length, 1);
});

Deno.test("Panel.send() sends nothing before there is a draft and a client that calls tools", async () => {
  verifies("panel-once", "panel-blocked");
  const bench = new Bench();
  strictEqual(await bench.send(), undefined);
  bench.panel.take(ERROR);
  bench.panel.canCall = true;
  strictEqual(await bench.send(), undefined);
  strictEqual(bench.last.state, "none");
  bench.panel.canCall = false;
  bench.panel.take(answer());
  strictEqual(await bench.send(), undefined);
  strictEqual(bench.last.state, "blocked");
  deepStrictEqual(bench.calls, []);
  bench.panel.canCall = true;
  strictEqual(bench.last.state, "arming");
  strictEqual(await bench.send(), undefined, "the click may have been meant for what was in its place");
  bench.panel.arm();
  strictEqual(bench.last.state, "ready");
  strictEqual(bench.calls.length, 0, "that it may send makes it send nothing");
  bench.end(ended("success"));
  strictEqual((await bench.send())?.outcome, "success");
});

Deno.test("Panel says why it cannot send", async () => {
  verifies("panel-blocked");
  const { wrongMode, noTools, refused } = TEXTS.en;
  const blocked = (verdict: object) => answer(HELLO, { can_send: false, ...verdict });
  const cases: [boolean, ToolResult, string][] = [
    [true, blocked({ blocked: MODE }), wrongMode],
    [false, blocked({ blocked: MODE }), wrongMode],
    [true, blocked({ blocked: { kind: "risk", message: "Too bold", next_step: "Ask." } }), refused("Too bold. Ask.")],
    [false, blocked({ blocked: { kind: "risk", message: "Too bold" } }), refused("Too bold")],
    [true, blocked({}), refused("")],
    [true, answer(HELLO, {}), refused("")],
    [true, answer(HELLO, { can_send: "true" }), refused("")],
    [false, answer(), noTools],
  ];
  for (const [canCall, result, why] of cases) {
    const bench = new Bench();
    bench.panel.canCall = canCall;
    bench.panel.take(result);
    strictEqual(bench.last.state, "blocked");
    strictEqual(bench.last.draft?.blocked, why);
    strictEqual(bench.last.draft?.text, "Hello", "it is shown all the same");
    strictEqual(await bench.send(), undefined);
    bench.panel.language = "zh";
    match(bench.last.draft?.blocked ?? "", /^[^a-z]*(write)?[^a-z]*(Too bold.*)?$/);
    deepStrictEqual(bench.calls, []);
  }
});

Deno.test("Panel keeps its first draft and tells of another one, before, during and after a send", async () => {
  verifies("panel-once", "panel-shown-sent");
  const others: ToolResult[] = [
    answer({ ...HELLO, text: "Bye" }),
    answer({ ...HELLO, target_id: 20002 }),
    answer({ ...HELLO, message_type: "private" }),
    answer({ ...HELLO, reply_to: 1 }),
    ERROR,
  ];
  for (const other of others) {
    const before = Bench.ready();
    before.panel.take(other);
    strictEqual(before.last.state, "ready");
    strictEqual(before.last.status, TEXTS.en.ignored);
    const during = Bench.ready();
    const sent = during.send();
    during.panel.take(other);
    strictEqual(during.last.status, `${TEXTS.en.sending} ${TEXTS.en.ignored}`);
    const after = Bench.ready();
    for (const bench of [before, after, during]) bench.end(ended("success"));
    await Promise.all([before.send(), after.send(), sent]);
    after.panel.take(other);
    for (const bench of [before, after, during]) {
      strictEqual(bench.last.draft?.text, "Hello");
      strictEqual(bench.last.draft.chat, "Group 20001");
      deepStrictEqual(bench.calls.map(({ sends }) => sends), [sendCall(HELLO)]);
      strictEqual(bench.last.status, `${TEXTS.en.success("77")} ${TEXTS.en.ignored}`);
      bench.panel.take(answer());
      match(bench.last.status, /is not shown/, "it stays told");
    }
  }
});

Deno.test("Panel says nothing of the same answer that comes again", async () => {
  verifies("panel-once");
  const bench = Bench.ready();
  bench.panel.take(answer());
  strictEqual(bench.last.status, "");
  strictEqual(bench.last.state, "ready");
  const sent = bench.send();
  bench.panel.take(answer());
  strictEqual(bench.last.status, TEXTS.en.sending);
  bench.end(ended("success"));
  await sent;
  bench.panel.take(answer());
  strictEqual(bench.last.status, TEXTS.en.success("77"));
  strictEqual(bench.last.state, "success", "and it makes nothing ready");
});

Deno.test("Panel shows what became of the send", async () => {
  verifies("panel-outcomes");
  const cases: [ToolResult, string, string][] = [
    [ended("success"), "success", TEXTS.en.success("77")],
    [{ ...ended("success"), isError: true }, "unknown", TEXTS.en.unknown("")],
    [ended("failed", { message: "No such group" }), "failed", TEXTS.en.failed("No such group")],
    [ended("unknown", { message: "Cut" }), "unknown", TEXTS.en.unknown("Cut")],
    [{ content: [{ type: "text", text: "success" }] }, "unknown", TEXTS.en.unknown("success")],
    [{}, "unknown", TEXTS.en.unknown("")],
  ];
  for (const [result, state, status] of cases) {
    const bench = Bench.ready();
    bench.end(result);
    strictEqual((await bench.send())?.outcome, state);
    strictEqual(bench.last.state, state);
    strictEqual(bench.last.status, status);
    bench.panel.language = "zh";
    match(bench.last.status, { success: /不能证明/, failed: /^未发送/, unknown: /^无法确定/ }[state] ?? /^$/);
  }
});

Deno.test("Panel says that it still waits after 10 seconds, once, and not when there was an answer", async () => {
  verifies("panel-outcomes", "panel-once");
  const clock = new Clock();
  try {
    const slow = Bench.ready();
    const sent = slow.send();
    strictEqual(slow.last.status, TEXTS.en.sending);
    deepStrictEqual(clock.delays, [10_000]);
    clock.pass();
    strictEqual(slow.last.status, TEXTS.en.slow);
    strictEqual(slow.last.state, "sending");
    strictEqual(await slow.send(), undefined);
    slow.panel.language = "zh";
    strictEqual(slow.last.status, TEXTS.zh.slow);
    deepStrictEqual([clock.delays, slow.calls.length], [[], 1], "waiting sets no other timer and calls nothing");
    slow.end(ended("success"));
    await sent;
    strictEqual(slow.last.status, TEXTS.zh.success("77"));

    for (const end of [(bench: Bench) => bench.end(ended("failed")), (bench: Bench) => bench.break(new Error("x"))]) {
      const quick = Bench.ready();
      end(quick);
      await quick.send();
      deepStrictEqual(clock.delays, [], "the timer is gone");
    }
  } finally {
    clock.restore();
  }
});

/** Timers that go off when the test says so. */
class Clock {
  readonly #own = { setTimeout, clearTimeout };
  readonly #timers: Map<number, { readonly ring: () => void; readonly delay: number }> = new Map();
  #id = 0;

  constructor() {
    Object.assign(globalThis, {
      setTimeout: (ring: () => void, delay: number) => {
        this.#timers.set(++this.#id, { ring, delay });
        return this.#id;
      },
      clearTimeout: (id: number) => this.#timers.delete(id),
    });
  }

  /** What is waited for, in milliseconds. */
  get delays(): number[] {
    return [...this.#timers.values()].map(({ delay }) => delay);
  }

  /** Lets every timer go off. */
  pass(): void {
    const rung = [...this.#timers.values()];
    this.#timers.clear();
    for (const { ring } of rung) ring();
  }

  restore(): void {
    Object.assign(globalThis, this.#own);
  }
}

Deno.test("Panel says in both languages why there is no draft", () => {
  verifies("panel-alone", "panel-follows");
  const bench = new Bench();
  bench.panel.language = "en";
  deepStrictEqual(bench.last, {
    language: "en",
    state: "waiting",
    title: "Message draft",
    note: TEXTS.en.waiting,
    status: "",
  });
  const steps: [() => void, "noHost" | "waiting" | "noDraft" | "cancelled"][] = [
    [() => bench.panel.giveUp("noHost"), "noHost"],
    [() => bench.panel.canCall = true, "waiting"], // so there is a host after all
    [() => bench.panel.take({}), "noDraft"],
    [() => bench.panel.canCall = true, "noDraft"],
    [() => bench.panel.giveUp("cancelled"), "cancelled"],
  ];
  for (const [step, name] of steps) {
    step();
    for (const language of ["zh", "en"] as const) {
      bench.panel.language = language;
      strictEqual(bench.last.note, TEXTS[language][name]);
      strictEqual(bench.last.language, language);
      strictEqual(bench.last.state, name === "waiting" ? "waiting" : "none");
    }
  }
  bench.panel.take(ERROR);
  match(bench.last.note ?? "", /Give one\.$/);
  bench.panel.giveUp("cancelled");
  strictEqual(bench.last.note, TEXTS.en.cancelled, "without the reason of something else");
  bench.panel.take(answer());
  strictEqual(bench.last.state, "arming");
  bench.panel.giveUp("cancelled");
  deepStrictEqual([bench.last.note, bench.last.state], [undefined, "arming"], "a draft that is there stays");
});

Deno.test("Panel does not send what was sent from its frame before, and says what that leaves unknown", async () => {
  verifies("panel-once", "panel-outcomes");
  const first = Bench.ready();
  first.end(ended("success"));
  strictEqual((await first.send())?.outcome, "success");
  strictEqual(first.last.state, "success", "it knows what became of its own send");

  const again = new Bench();
  for (const sent of first.sent) again.sent.add(sent);
  again.panel.canCall = true;
  again.panel.take(answer());
  again.panel.arm();
  deepStrictEqual([again.last.state, again.last.status], ["unknown", TEXTS.en.reloaded]);
  strictEqual(await again.send(), undefined);
  deepStrictEqual(again.calls, []);
  again.panel.language = "zh";
  strictEqual(again.last.status, TEXTS.zh.reloaded);

  const other = new Bench();
  for (const sent of first.sent) other.sent.add(sent);
  other.panel.canCall = true;
  other.panel.take(answer({ ...HELLO, text: "Hello again" }));
  other.panel.arm();
  strictEqual(other.last.state, "ready", "another draft is another matter");
});

Deno.test("Panel remembers a send before it makes it", async () => {
  verifies("panel-once");
  const bench = Bench.ready();
  let remembered = 0;
  await bench.panel.send(() => {
    remembered = bench.sent.size;
    return Promise.reject(new Error("gone"));
  });
  strictEqual(remembered, 1);
});
