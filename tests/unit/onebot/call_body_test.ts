import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { encodeCall, encodeChunkCall } from "../../../lib/onebot/call_body.ts";
import { MAX_REQUEST_BYTES } from "../../../lib/onebot/exchange.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";
import { between, deeplyNested, failureOf, seeded } from "../support.ts";

/** Bytes that are made base64 at a time. */
const SLICE_BYTES = 48 * 1024;

/** The same call by plain means. */
function plain(action: string, params: Readonly<Record<string, unknown>>, chunk: Uint8Array): Uint8Array {
  const chunk_data = btoa(Array.from(chunk, (byte) => String.fromCharCode(byte)).join(""));
  return new TextEncoder().encode(JSON.stringify({ action, params: { ...params, chunk_data } }));
}

function bytesOf(random: () => number, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random() * 256);
}

const TEXTS = [
  "",
  '"',
  "\\",
  '"}}',
  '","chunk_data":"',
  "\n\0\x7f",
  "群😀",
  "\ud800",
  "\u2028",
  "</script>",
  "10",
  "a",
];

/** Any value that JSON has, now and then one that it leaves out. */
function valueOf(random: () => number, depth = 3): unknown {
  const text = (): string => Array.from({ length: 3 }, () => TEXTS[between(random, 0, TEXTS.length - 1)]).join("");
  const length = between(random, 0, depth);
  switch (between(random, 0, depth > 0 ? 7 : 5)) {
    case 0:
      return text();
    case 1:
      return between(random, -1e9, 1e9) / 7;
    case 2:
      return random() < 0.5;
    case 3:
      return null;
    case 4:
      return undefined;
    case 5:
      return parseJson("12345678901234567890");
    case 6:
      return Array.from({ length }, () => valueOf(random, depth - 1));
    default:
      return Object.fromEntries(Array.from({ length }, () => [text(), valueOf(random, depth - 1)]));
  }
}

Deno.test("encodeChunkCall() writes what JSON.stringify would, for any parameters", async (t) => {
  verifies("upload-chunks", "one-post");
  for (let seed = 1; seed <= 100; seed++) {
    await t.step(`seed ${seed}`, () => {
      const random = seeded(seed);
      const others = Array.from({ length: between(random, 0, 4) }, (_, i) => [`${i}"群`, valueOf(random)]);
      const params = { stream_id: TEXTS[seed % TEXTS.length], ...Object.fromEntries(others) };
      const chunk = bytesOf(random, between(random, 0, 200));
      const action = TEXTS[(seed + 5) % TEXTS.length] ?? "";
      deepStrictEqual(encodeChunkCall(action, params, chunk), plain(action, params, chunk));
    });
  }
});

Deno.test("encodeChunkCall() writes chunks of any length, also around a slice", () => {
  verifies("upload-chunks", "upload-empty");
  const random = seeded(7);
  const near = [SLICE_BYTES, 2 * SLICE_BYTES].flatMap((length) =>
    [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((by) => length + by)
  );
  for (const length of [0, 1, 2, 3, 4, 5, 6, ...near, 1024 * 1024]) {
    const chunk = bytesOf(random, length);
    ok(same(encodeChunkCall("a", { b: 1 }, chunk), plain("a", { b: 1 }, chunk)), `${length} bytes`);
  }
});

/** Compares without printing bodies of this length. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

Deno.test("encodeChunkCall() writes into a spare buffer that is large enough, and leaves a smaller one alone", () => {
  verifies("transfer-memory");
  const [params, chunk] = [{ stream_id: "群" }, bytesOf(seeded(3), 1_000)];
  const expected = plain("up", params, chunk);
  const used = (length: number): boolean => {
    const spare = new Uint8Array(length).fill(0x21);
    const body = encodeChunkCall("up", params, chunk, spare);
    deepStrictEqual(body, expected);
    if (body.buffer === spare.buffer) return true;
    ok(spare.every((byte) => byte === 0x21));
    return false;
  };
  deepStrictEqual([0, 1, expected.length - 1].map(used), [false, false, false]);
  deepStrictEqual([expected.length, expected.length + 1, 10_000].map(used), [true, true, true]);
  const shorter = plain("up", params, chunk.subarray(500)); // the longer one's end does not show through
  const spare = new Uint8Array(expected.length);
  encodeChunkCall("up", params, chunk, spare);
  deepStrictEqual(encodeChunkCall("up", params, chunk.subarray(500), spare), shorter);
});

Deno.test("encodeCall() and encodeChunkCall() write 64 MiB and refuse one byte more", async () => {
  verifies("bounded");
  const frame = encodeCall("a", { b: "" }).length;
  strictEqual(encodeCall("a", { b: "x".repeat(MAX_REQUEST_BYTES - frame) }).length, MAX_REQUEST_BYTES);
  const failures = [await failureOf(() => encodeCall("a", { b: "x".repeat(MAX_REQUEST_BYTES - frame + 1) }))];
  const chunk = new Uint8Array(3 * (MAX_REQUEST_BYTES / 4 - 16)); // its base64 leaves 64 bytes
  const rest = 64 - encodeChunkCall("a", { b: "" }, new Uint8Array()).length;
  strictEqual(encodeChunkCall("a", { b: "x".repeat(rest) }, chunk).length, MAX_REQUEST_BYTES);
  failures.push(await failureOf(() => encodeChunkCall("a", { b: "x".repeat(rest + 1) }, chunk)));
  for (const { kind, message } of failures) {
    strictEqual(kind, "invalid_params");
    strictEqual(message, "Cannot call a: its parameters make a body of 67108865 bytes, above 67108864");
  }
});

Deno.test("encodeCall() and encodeChunkCall() refuse what is nested too deeply to be written", async () => {
  verifies("bad-arguments");
  const params = { b: deeplyNested(parseJson("12345678901234567890")) };
  for (const encode of [() => encodeCall("a", params), () => encodeChunkCall("a", params, new Uint8Array())]) {
    const { kind, message } = await failureOf(encode);
    deepStrictEqual([kind, message], ["invalid_params", "Cannot call a: its parameters are nested too deeply"]);
  }
});
