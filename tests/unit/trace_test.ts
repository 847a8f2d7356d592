import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startTrace, traceHeaders } from "../../lib/trace.ts";
import { verifies } from "../requirements.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const PARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const OURS = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

/** What becomes of a `tracestate` beside a valid parent: what is passed on, or "invalid". */
function stateOf(tracestate: unknown): string | undefined {
  const { trace, invalid } = startTrace({ traceparent: PARENT, tracestate });
  strictEqual(trace.traceparent.slice(3, 35), TRACE_ID, "the parent is kept, whatever the state");
  if (invalid) deepStrictEqual(Object.keys(trace), ["traceparent"]);
  return invalid ? "invalid" : trace.tracestate;
}

Deno.test("startTrace() keeps the trace id and the sampled bit of a valid parent, and nothing else", () => {
  verifies("trace-kept");
  const cases: Record<string, string> = {
    [PARENT]: "01",
    [`00-${TRACE_ID}-${SPAN_ID}-00`]: "00",
    [`00-${TRACE_ID}-${SPAN_ID}-ff`]: "01",
    [`00-${TRACE_ID}-${SPAN_ID}-fe`]: "00",
    [`00-${TRACE_ID}-${SPAN_ID}-03`]: "01",
    [`00-${TRACE_ID}-0000000000000001-10`]: "00",
    [`01-${TRACE_ID}-${SPAN_ID}-01`]: "01",
    [`fe-${TRACE_ID}-${SPAN_ID}-00`]: "00",
    [`cc-${TRACE_ID}-${SPAN_ID}-01-`]: "01",
    [`cc-${TRACE_ID}-${SPAN_ID}-01-what comes LATER\n`]: "01",
    [`cc-${TRACE_ID}-${SPAN_ID}-01-${"x".repeat(1_000_000)}`]: "01",
  };
  for (const [traceparent, flags] of Object.entries(cases)) {
    const { trace, invalid } = startTrace({ traceparent });
    const shown = traceparent.slice(0, 80);
    strictEqual(invalid, false, shown);
    match(trace.traceparent, OURS, shown);
    strictEqual(trace.traceparent.slice(0, 36), `00-${TRACE_ID}-`, shown);
    strictEqual(trace.traceparent.slice(-3), `-${flags}`, shown);
    notStrictEqual(trace.traceparent.slice(36, 52), SPAN_ID, shown);
    deepStrictEqual(Object.keys(trace), ["traceparent"], shown);
  }
});

Deno.test("startTrace() begins an independent, sampled trace and says so when the parent is invalid", () => {
  verifies("trace-new", "trace-invalid");
  const cases: unknown[] = [
    ...["", "-", "00", "x".repeat(55), "0".repeat(1_000_000), "-".repeat(1_000_000)],
    ...[null, 0, 1, true, [PARENT], { toString: () => PARENT }, new String(PARENT)],
    PARENT.toUpperCase(),
    `00-${TRACE_ID.replace("f", "F")}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${SPAN_ID.toUpperCase()}-01`,
    `0A-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${SPAN_ID}-0A`,
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `ff-${TRACE_ID}-${SPAN_ID}-01-later`,
    `00-${"0".repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    `cc-${"0".repeat(32)}-${SPAN_ID}-01-later`,
    `00-${TRACE_ID}-${SPAN_ID}-01-`,
    `00-${TRACE_ID}-${SPAN_ID}-01-later`,
    `cc-${TRACE_ID}-${SPAN_ID}-01.later`,
    `cc-${TRACE_ID}-${SPAN_ID}-010`,
    ...[`${PARENT}\n`, `${PARENT} `, ` ${PARENT}`, `${PARENT},${PARENT}`, PARENT.slice(0, -1), PARENT.slice(1)],
    PARENT.replaceAll("-", "_"),
    `00-${TRACE_ID.replace("f", "g")}-${SPAN_ID}-01`,
    `00-${TRACE_ID.replace("4", "４")}-${SPAN_ID}-01`,
    `00-${TRACE_ID.slice(1)}-${SPAN_ID}0-01`,
  ];
  for (const traceparent of cases) {
    const { trace, invalid } = startTrace({ traceparent, tracestate: "vendor=1" });
    const shown = String(traceparent).slice(0, 80);
    strictEqual(invalid, true, shown);
    match(trace.traceparent, OURS, shown);
    ok(trace.traceparent.endsWith("-01"), shown);
    ok(!trace.traceparent.includes(TRACE_ID), shown);
    deepStrictEqual(Object.keys(trace), ["traceparent"], "a state without a valid parent is dropped");
    strictEqual(startTrace({ traceparent }).invalid, true, shown);
  }
});

Deno.test("startTrace() begins an independent trace and finds nothing invalid when no trace is given", () => {
  verifies("trace-new");
  const inherited = Object.create({ traceparent: PARENT, tracestate: "vendor=1" });
  const computed = Object.defineProperty({}, "traceparent", {
    get: () => {
      throw new Error("was read");
    },
  });
  const blank = { traceparent: undefined, tracestate: undefined };
  const others = { baggage: "a=1", Traceparent: PARENT, progressToken: 1 };
  for (const meta of [undefined, null, 0, PARENT, true, [], [PARENT], {}, blank, others, inherited, computed]) {
    const { trace, invalid } = startTrace(meta);
    strictEqual(invalid, false);
    match(trace.traceparent, OURS);
    ok(trace.traceparent.endsWith("-01"));
    ok(!trace.traceparent.includes(TRACE_ID));
    deepStrictEqual(Object.keys(trace), ["traceparent"]);
  }
});

Deno.test("startTrace() counts a tracestate without any parent as invalid", () => {
  verifies("trace-state", "trace-invalid");
  for (const tracestate of ["vendor=1", "", null, 7]) {
    const { trace, invalid } = startTrace({ tracestate });
    strictEqual(invalid, true);
    deepStrictEqual(Object.keys(trace), ["traceparent"]);
  }
});

Deno.test("startTrace() gives every call its own span, and every independent trace its own id", () => {
  verifies("trace-kept", "trace-new");
  const calls = 10_000;
  const kept = Array.from({ length: calls }, () => startTrace({ traceparent: PARENT }).trace.traceparent);
  strictEqual(new Set(kept.map((text) => text.slice(36, 52))).size, calls);
  strictEqual(new Set(kept.map((text) => text.slice(3, 35))).size, 1);
  const independent = Array.from({ length: calls }, () => startTrace({}).trace.traceparent);
  strictEqual(new Set(independent.map((text) => text.slice(3, 35))).size, calls);
  strictEqual(new Set(independent.map((text) => text.slice(36, 52))).size, calls);
});

Deno.test("startTrace() draws ids again when they are all zero", () => {
  verifies("trace-kept");
  const original = crypto.getRandomValues;
  let draws = 0;
  try {
    crypto.getRandomValues = (array) => {
      draws++;
      return draws % 3 === 0 ? original.call(crypto, array) as typeof array : array; // fresh arrays are zero
    };
    // until what is in stock has gone, and two draws of zeros after it
    for (let call = 0; call < 1000 && draws < 3; call++) match(startTrace({}).trace.traceparent, OURS);
  } finally {
    crypto.getRandomValues = original;
  }
  strictEqual(draws, 3);
});

Deno.test("startTrace() passes on a valid tracestate, without white space around members and empty members", () => {
  verifies("trace-state");
  const cases: Record<string, string | undefined> = {
    "rojo=00f067aa0ba902b7": "rojo=00f067aa0ba902b7",
    "rojo=1,congo=2": "rojo=1,congo=2",
    "z=1,a=2,m=3": "z=1,a=2,m=3",
    " rojo=1\t,\t congo=2 ": "rojo=1,congo=2",
    ",rojo=1,, \t ,congo=2,": "rojo=1,congo=2",
    "a= b c": "a= b c",
    "a=b ,c=d": "a=b,c=d",
    "a=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~": "a=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~",
    "a_-*/9=1": "a_-*/9=1",
    "fw529a3039@congo=1": "fw529a3039@congo=1",
    "0_-*/@a_-*/9=1": "0_-*/@a_-*/9=1",
    "a=1,a@a=2,aa=3": "a=1,a@a=2,aa=3",
    "": undefined,
    " ": undefined,
    ",\t,": undefined,
  };
  for (const [given, passed] of Object.entries(cases)) strictEqual(stateOf(given), passed, JSON.stringify(given));
});

Deno.test("startTrace() drops an invalid tracestate and keeps the parent", () => {
  verifies("trace-state", "trace-invalid");
  const cases: unknown[] = [
    ...[null, 0, true, ["a=1"], {}, new String("a=1")],
    ...["a", "=", "=1", "a=", "a= ", "a=1=2", "a==1", "a=1,b", "a=1;b=2,c"],
    ...["a =1", "A=1", "aB=1", "1a=1", "_a=1", "a.b=1", "ä=1", "a b=1"],
    ...["@a=1", "a@=1", "a@b@c=1", "a@1=1", "a@B=1", "A@b=1", "_a@b=1"],
    ...["a=1,a=2", "a=1,b=2,a=1", "a@b=1, a@b=2"],
    ...["a=1\n", "\na=1", "a=1\r\nx-evil: 1", "a=1,\r\n b=2", "a=\u0000", "a=\u007f", "a=\u000b", "a=x\ty"],
    ...["a=ä", "a=１", "\u00a0a=1", "a=1\u2028", "\ufeffa=1", "a=\ud800"],
  ];
  for (const tracestate of cases) strictEqual(stateOf(tracestate), "invalid", JSON.stringify(tracestate));
});

Deno.test("startTrace() holds a tracestate to its bounds, at their edges", () => {
  verifies("trace-state");
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(",");
  const valid = [
    members(32),
    `${"k".repeat(256)}=${"v".repeat(255)}`, // 512 characters
    `k=${"v".repeat(256)}`,
    `${"1".repeat(241)}@${"k".repeat(14)}=v`,
  ];
  for (const text of valid) strictEqual(stateOf(text), text);
  strictEqual(valid[1]?.length, 512);
  strictEqual(stateOf(`,${members(32)},,`), members(32), "empty members do not count");
  strictEqual(stateOf(`a=1${" ".repeat(509)}`), "a=1");
  const invalid = [
    members(33),
    `${"k".repeat(256)}=${"v".repeat(256)}`, // 513 characters
    `a=1${" ".repeat(510)}`, // 513, white space counts
    ",".repeat(513),
    `k=${"v".repeat(257)}`,
    `${"k".repeat(257)}=v`,
    `${"1".repeat(242)}@k=v`,
    `1@${"k".repeat(15)}=v`,
    `a=${" ".repeat(5_000_000)}b`,
    "a@".repeat(5_000_000),
  ];
  for (const text of invalid) strictEqual(stateOf(text), "invalid", text.slice(0, 80));
});

Deno.test("startTrace() writes a valid traceparent and a clean tracestate, whatever comes", () => {
  verifies("trace-invalid");
  let seed = 20_261_101;
  const below = (bound: number): number => (seed = (seed * 48_271) % 2_147_483_647) % bound;
  const alphabet = "0159afAFgz-=,@ \t\r\n\u0000\u007f\u00e4\u2028";
  const character = (): string => alphabet.charAt(below(alphabet.length));
  const mutate = (text: string): string => {
    const at = below(text.length + 1);
    return text.slice(0, at) + character().repeat(below(3)) + text.slice(at + below(2));
  };
  const seen = { kept: 0, ignored: 0 };
  for (let round = 0; round < 5_000; round++) {
    const traceparent = round % 3 === 0 ? PARENT : mutate(PARENT);
    const { trace, invalid } = startTrace({ traceparent, tracestate: mutate(mutate("rojo=1, t@congo=a b")) });
    match(trace.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    match(trace.tracestate ?? "a", /^[a-z0-9][\x20-\x7e]{0,511}$/);
    new Headers(traceHeaders(trace)); // throws on what is no header value
    seen[invalid ? "ignored" : "kept"]++;
  }
  ok(seen.kept > 500 && seen.ignored > 500, JSON.stringify(seen));
});

Deno.test("traceHeaders() gives traceparent, and tracestate if there is one", () => {
  deepStrictEqual(traceHeaders({ traceparent: PARENT }), { traceparent: PARENT });
  deepStrictEqual(traceHeaders({ traceparent: PARENT, tracestate: "a=1" }), { traceparent: PARENT, tracestate: "a=1" });
  const { trace } = startTrace({ traceparent: PARENT, tracestate: "a=1", baggage: "b=2" });
  deepStrictEqual(traceHeaders(trace), { traceparent: trace.traceparent, tracestate: "a=1" });
});
