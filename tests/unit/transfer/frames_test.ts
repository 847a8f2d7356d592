import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { ExchangeError } from "../../../lib/onebot/exchange.ts";
import type { Frame } from "../../../lib/onebot/frame.ts";
import { type FrameRules, MAX_VALUES, readFrames, Refusal } from "../../../lib/transfer/frames.ts";
import { verifies } from "../../requirements.ts";
import { Body, failedFrame, fault, file, okFrame, wire } from "./support.ts";

const RULES: FrameRules = { parse: JSON.parse, isLast: ({ role }) => role === "last" };
const MORE = okFrame({ type: "stream" });
const LAST = okFrame({ type: "response" });

/** Reads a whole stream. */
function read(body: Body, rules: FrameRules = RULES): Promise<Frame[]> {
  return Array.fromAsync(readFrames(body, rules));
}

Deno.test("readFrames() gives every frame, and the last one only after the end of the body", async () => {
  verifies("frames-split", "stream-ends");
  const body = new Body([wire(MORE), wire(LAST), "", ""]);
  const frames = readFrames(body, RULES);
  deepStrictEqual((await frames.next()).value?.envelope, MORE);
  strictEqual(body.read, 1);
  deepStrictEqual((await frames.next()).value?.envelope, LAST);
  deepStrictEqual([body.read, body.left], [4, true]);
  ok((await frames.next()).done);
});

Deno.test("readFrames() reads no further than its caller", async () => {
  verifies("transfer-memory");
  const body = new Body(Array.from({ length: 100 }, () => wire(MORE)));
  const frames = readFrames(body, RULES);
  for (let i = 1; i <= 3; i++) {
    await frames.next();
    strictEqual(body.read, i);
  }
  await frames.return(undefined);
  deepStrictEqual([body.read, body.left], [3, true]);
});

Deno.test("readFrames() takes what a rule calls the last frame, whatever its type", async () => {
  verifies("frames-checked");
  const frames = await read(new Body([wire(MORE)]), { ...RULES, isLast: () => true });
  deepStrictEqual(frames.map(({ role }) => role), ["more"]);
});

Deno.test("readFrames() ends with a fault as soon as the stream breaks a rule, and leaves the body", async (t) => {
  verifies("frames-checked", "stream-order", "stream-ends");
  const early = "the stream has no last frame";
  const cases: Record<string, { pieces: (string | Uint8Array)[]; error: Error; unread?: boolean }> = {
    "no JSON": { pieces: ["{\r\n\r\n"], error: fault("invalid_answer", "a frame is not JSON"), unread: true },
    "an empty frame": { pieces: ["\r\n\r\n"], error: fault("invalid_answer", "a frame is not JSON"), unread: true },
    "a byte order mark": {
      pieces: [`\ufeff${wire(MORE)}`],
      error: fault("invalid_answer", "a frame is not JSON"),
      unread: true,
    },
    "two values": {
      pieces: [`1 ${wire(MORE)}`],
      error: fault("invalid_answer", "a frame is not JSON"),
      unread: true,
    },
    "no UTF-8": {
      pieces: [Uint8Array.from([0xff, 13, 10, 13, 10])],
      error: fault("invalid_answer", "a frame is not UTF-8 text"),
      unread: true,
    },
    "no mark": {
      pieces: [wire(MORE), wire({ ...MORE, stream: "no" })],
      error: fault("invalid_answer", "a frame is malformed: it lacks the mark of a stream frame"),
      unread: true,
    },
    "a frame after the last one": {
      pieces: [wire(LAST, MORE)],
      error: fault("invalid_answer", "a frame follows the last one"),
      unread: true,
    },
    "the last frame twice": {
      pieces: [wire(LAST), wire(LAST)],
      error: fault("invalid_answer", "a frame follows the last one"),
      unread: true,
    },
    "rubbish after the last one": {
      pieces: [wire(LAST), "\r\n"],
      error: fault("invalid_answer", "something follows the last frame"),
    },
    "nothing": { pieces: [], error: new ExchangeError("cut", true, "the stream is empty") },
    "no last frame": { pieces: [wire(MORE)], error: new ExchangeError("cut", true, early) },
    "half a last frame": { pieces: [wire(MORE), wire(LAST).slice(0, 9)], error: new ExchangeError("cut", true, early) },
    "a last frame without its separator": {
      pieces: [wire(MORE), wire(LAST).slice(0, -1)],
      error: new ExchangeError("cut", true, early),
    },
  };
  for (const [name, { pieces, error, unread }] of Object.entries(cases)) {
    await t.step(name, async () => {
      const body = new Body(unread ? [...pieces, "never read"] : pieces);
      await rejects(read(body), { ...error, message: error.message });
      deepStrictEqual([body.left, body.read], [true, pieces.length]);
    });
  }
});

Deno.test("readFrames() takes a frame of so many objects and lists, and not one more", async () => {
  verifies("frames-capped", "bounded");
  const crowded = (values: number): Body => {
    const later = [...Array.from({ length: values - 4 }, (_, n) => n % 2 ? {} : []), "x".repeat(MAX_VALUES)];
    return new Body([wire({ ...LAST, later: { list: later } })]); // frame, data, later and its list are the other four
  };
  strictEqual((await read(crowded(MAX_VALUES))).length, 1);
  const message = `a frame holds more than ${MAX_VALUES} objects and lists`;
  await rejects(read(crowded(MAX_VALUES + 1)), { kind: "too_large", message });
});

Deno.test("readFrames() passes on how the body broke off", async () => {
  verifies("stream-ends");
  const error = new ExchangeError("cut", true);
  for (const before of [[], [wire(MORE)], [wire(MORE, LAST)]]) {
    await rejects(read(new Body(before, 200, error)), (thrown) => thrown === error);
  }
});

Deno.test("readFrames() tells a refusal by what it is made of", async (t) => {
  verifies("stream-refused", "stream-ordinary");
  const unknown = { status: "failed", retcode: 1404, data: null, wording: "unknown action" };
  const denied = { ...unknown, retcode: 1401 };
  const page = "<html>\r\n\r\n<p>no</p>\r\n\r\n";
  const noStream = (status: number) => fault("invalid_answer", `the answer (HTTP ${status}) is no stream of frames`);
  const cases: Record<string, { text: string; status?: number; error: Error }> = {
    "a failed frame": { text: wire(failedFrame("no")), error: new Refusal(200, failedFrame("no")) },
    "a failed frame after others": {
      text: wire(file.info(5), failedFrame("no", 1400)),
      error: new Refusal(200, failedFrame("no", 1400)),
    },
    "an ordinary refusal": { text: JSON.stringify(unknown), error: new Refusal(200, unknown) },
    "an ordinary refusal, HTTP 401": { text: JSON.stringify(denied), status: 401, error: new Refusal(401, denied) },
    "a failed frame, HTTP 500": {
      text: wire(failedFrame("no")),
      status: 500,
      error: new Refusal(500, failedFrame("no")),
    },
    "HTTP 401 with a page": { text: page, status: 401, error: new Refusal(401) },
    "HTTP 403 with nothing": { text: "", status: 403, error: new Refusal(403) },
    "HTTP 403 with a good envelope": { text: '{"status":"ok","retcode":0}', status: 403, error: new Refusal(403) },
    "HTTP 502 with a page": { text: page, status: 502, error: noStream(502) },
    "HTTP 500 with nothing": { text: "", status: 500, error: noStream(500) },
    "HTTP 500 with good frames": { text: wire(MORE, LAST), status: 500, error: noStream(500) },
    "an ordinary answer that is no refusal": { text: '{"status":"ok","retcode":0}', error: noStream(200) },
    "a contradiction": { text: '{"status":"failed","retcode":0}', error: noStream(200) },
    "a page": { text: "<html></html>", error: noStream(200) },
    "a frame without any separator": { text: JSON.stringify(LAST), error: noStream(200) },
  };
  for (const [name, { text, status, error }] of Object.entries(cases)) {
    await t.step(name, () => rejects(read(new Body([text], status)), { ...error, message: error.message }));
  }
});
