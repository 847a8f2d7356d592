import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_LINE_BYTES } from "../../../lib/mcp/stdio_transport.ts";
import { verifies } from "../../requirements.ts";
import type { Message } from "../../support/server_process.ts";
import { between, seeded } from "../support.ts";
import { bytesOf, runThrough } from "./byte_pipes.ts";

const ping = (id: number | string, pad = ""): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "ping", params: { pad } });
const NOTE = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Feeds pieces and gives the ids of the requests that were delivered, and the errors that were answered. */
async function outcome(...pieces: Array<string | Uint8Array>): Promise<{ ids: unknown[]; errors: unknown[] }> {
  const { messages, pipes } = await runThrough(...pieces);
  return {
    ids: messages.map((message) => "id" in message ? message.id : null),
    errors: pipes.answers.filter(({ error }) => error).map(({ id, error }) => [id, error.code]),
  };
}

Deno.test("StdioTransport delivers one message a line, however the lines arrive", async (t) => {
  const [a, b, c] = [ping(1), ping("two", "群😀"), ping(3)];
  const whole = `${a}\n${b}\n${c}\n`;
  const bytes = bytesOf(whole);
  const cases: Record<string, Array<string | Uint8Array>> = {
    "a line a chunk": [`${a}\n`, `${b}\n`, `${c}\n`],
    "all in one chunk": [whole],
    "byte by byte": Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)),
    "newline in a chunk of its own": [a, "\n", b, "\n", c, "\n"],
    "CRLF": [whole.replaceAll("\n", "\r\n")],
    "CR and LF apart": [`${a}\r`, `\n${b}\r`, `\n${c}\r`, "\n"],
    "blank lines between": [`\n\n${a}\n \t\n\r\n${b}\n\n\n${c}\n\n`],
    "no newline at the end": [`${a}\n${b}\n${c}`],
    "blanks around": [`  ${a}  \n\t${b}\n${c} \n`],
  };
  for (const [name, pieces] of Object.entries(cases)) {
    await t.step(name, async () => deepStrictEqual(await outcome(...pieces), { ids: [1, "two", 3], errors: [] }));
  }
});

Deno.test("StdioTransport delivers the same under every random cut", async () => {
  verifies("bad-lines");
  const random = seeded(42);
  for (let round = 0; round < 60; round++) {
    const ids: number[] = [];
    let errors = 0;
    let text = "";
    for (let line = 0; line < 40; line++) {
      const kind = between(random, 0, 4);
      if (kind === 0) text += "{oops\n";
      else if (kind === 1) text += random() < 0.5 ? "\r\n" : "\n";
      else {
        ids.push(line);
        text += `${ping(line, "群😀x".repeat(between(random, 0, 3000)))}${random() < 0.3 ? "\r\n" : "\n"}`;
      }
      if (kind === 0) errors++;
    }
    const bytes = bytesOf(text);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = random() < 0.5 ? between(random, 1, 20) : between(random, 1, 100_000);
      pieces.push(bytes.subarray(at, at + length));
      at += length;
    }
    const seen = await outcome(...pieces);
    deepStrictEqual(seen.ids, ids);
    deepStrictEqual(seen.errors, Array.from({ length: errors }, () => [null, -32700]));
  }
});

Deno.test("StdioTransport answers what is not JSON in UTF-8 with -32700 and id null, once, and goes on", async (t) => {
  verifies("parse-error", "bad-lines");
  const cases: Record<string, string | Uint8Array> = {
    "a word": "oops",
    "half an object": '{"jsonrpc":"2.0","id":1',
    "an object too many": `${ping(1)}${ping(2)}`,
    "a single quote": "{'a':1}",
    "invalid UTF-8": new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
    "invalid UTF-8 within a fit request": new Uint8Array([
      ...bytesOf('{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"'),
      0xff,
      ...bytesOf('"}}'),
    ]),
    "half a character": new Uint8Array([...bytesOf('{"a":"'), 0xe7, 0xbe]),
    "UTF-16": new Uint8Array([0x7b, 0, 0x7d, 0]),
    "a NUL": "\0",
  };
  for (const [name, line] of Object.entries(cases)) {
    await t.step(name, async () => {
      const seen = await outcome(ping(1), "\n", line, "\n", ping(2), "\n");
      deepStrictEqual(seen, { ids: [1, 2], errors: [[null, -32700]] });
    });
  }
});

Deno.test("StdioTransport forgets a half character of a bad line before the next one", async () => {
  verifies("bad-lines");
  const seen = await outcome(new Uint8Array([0xe7, 0xbe]), "\n", ping("群"), "\n");
  deepStrictEqual(seen, { ids: ["群"], errors: [[null, -32700]] });
});

Deno.test("StdioTransport answers JSON that is no message with -32600, once, and goes on", async (t) => {
  verifies("bad-lines");
  const cases: Array<{ line: string; id: unknown }> = [
    { line: "null", id: null },
    { line: "5", id: null },
    { line: '"text"', id: null },
    { line: "{}", id: null },
    { line: "[]", id: null },
    { line: `[${ping(8)},${ping(9)}]`, id: null },
    { line: '{"id":7,"method":"ping"}', id: 7 },
    { line: '{"jsonrpc":"1.0","id":7,"method":"ping"}', id: 7 },
    { line: '{"jsonrpc":2,"id":"x","method":"ping"}', id: "x" },
    { line: '{"jsonrpc":"2.0","id":7}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":7,"method":5}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":7,"method":null}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', id: 7 },
    { line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', id: null },
    { line: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', id: null },
    { line: '{"jsonrpc":"2.0","id":true,"method":"ping"}', id: null },
    { line: '{"jsonrpc":"2.0","id":{},"method":"ping"}', id: null },
    { line: '{"jsonrpc":"2.0","id":[1],"method":"ping"}', id: null },
    { line: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', id: null },
  ];
  for (const { line, id } of cases) {
    await t.step(line, async () => {
      const seen = await outcome(`${ping(1)}\n${line}\n${ping(2)}\n`);
      deepStrictEqual(seen, { ids: [1, 2], errors: [[id, -32600]] });
    });
  }
});

Deno.test("StdioTransport passes every fit message on: requests, notifications, results and errors", async () => {
  const lines = [
    ping(0),
    ping(-1),
    ping(""),
    ping(9007199254740991),
    NOTE,
    '{"jsonrpc":"2.0","id":5,"result":{}}',
    '{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"no"}}',
  ];
  const { messages, pipes } = await runThrough(lines.join("\n"));
  deepStrictEqual(messages, lines.map((line) => JSON.parse(line)));
  ok(pipes.answers.every(({ error }) => error === undefined));
});

Deno.test("StdioTransport hands an answer that is none on as an error, since somebody waits for it", async (t) => {
  verifies("bad-lines", "input-legacy");
  const unfit = [
    ...["null", "[]", '"x"', "5", "true"].map((result) => `"result":${result}`),
    ...["null", "[]", '"x"', "5", "{}"].map((error) => `"error":${error}`),
    '"error":{"code":1}',
    '"error":{"message":"x"}',
    '"error":{"code":"1","message":"x"}',
    '"error":{"code":1.5,"message":"x"}',
    '"error":{"code":1,"message":null}',
    '"result":{},"error":{"code":1,"message":"x"}',
    '"result":{},"error":null',
    '"result":{"_meta":5}',
    '"result":{"_meta":null}',
    '"result":{"_meta":{"progressToken":{}}}',
  ];
  for (const members of unfit) {
    await t.step(members, async () => {
      const { messages, pipes } = await runThrough(`{"jsonrpc":"2.0","id":5,${members}}\n${ping(1)}\n`);
      const [first, second] = messages as Message[];
      deepStrictEqual([first?.id, first?.error?.code, typeof first?.error?.message], [5, -32603, "string"]);
      ok(first && !("result" in first));
      strictEqual(second?.id, 1);
      deepStrictEqual(pipes.answers.map(({ id }) => id), [1]); // an answer is never answered
    });
  }
});

Deno.test("StdioTransport takes a request with members of an answer for a request", async () => {
  verifies("bad-lines");
  for (const member of ['"result":null', '"result":5', '"error":null', '"error":{"code":1,"message":"x"}']) {
    const { messages } = await runThrough(`{"jsonrpc":"2.0","id":5,"method":"ping",${member}}\n`);
    deepStrictEqual(messages, [{ jsonrpc: "2.0", id: 5, method: "ping" }]);
  }
});

Deno.test("StdioTransport keeps the digits of whole numbers, in and out", async () => {
  verifies("digits");
  const line = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"id":9007199254740993,"s":"9007199254740993"}}';
  const { messages, transport, pipes } = await runThrough(`${line}\n`);
  strictEqual(JSON.stringify(messages[0]), line);
  await transport.send({ jsonrpc: "2.0", id: 2, result: (messages[0] as { params: Record<string, unknown> }).params });
  ok(pipes.output.endsWith('{"jsonrpc":"2.0","id":2,"result":{"id":9007199254740993,"s":"9007199254740993"}}\n'));
});

Deno.test("StdioTransport reads a line of exactly MAX_LINE_BYTES and refuses one byte more, then goes on", async (t) => {
  verifies("bounded", "bad-lines");
  const room = MAX_LINE_BYTES - ping(1).length;
  const cases = [
    { name: "exactly", line: ping(1, "x".repeat(room)), expected: { ids: [1, 2], errors: [] } },
    { name: "one more", line: ping(1, "x".repeat(room + 1)), expected: { ids: [2], errors: [[null, -32600]] } },
    { name: "far more", line: "x".repeat(3 * MAX_LINE_BYTES), expected: { ids: [2], errors: [[null, -32600]] } },
    {
      name: "one more, in bytes but not in characters",
      line: ping(1, `群${"x".repeat(room - 2)}`),
      expected: { ids: [2], errors: [[null, -32600]] },
    },
  ];
  for (const { name, line, expected } of cases) {
    await t.step(name, async () => deepStrictEqual(await outcome(line, `\n${ping(2)}\n`), expected));
  }
});

Deno.test("StdioTransport refuses an overlong last line without an end, too", async () => {
  verifies("bounded");
  deepStrictEqual(await outcome("x".repeat(MAX_LINE_BYTES + 1)), { ids: [], errors: [[null, -32600]] });
});

Deno.test("StdioTransport answers an unsupported revision itself, on every request, and delivers nothing", async () => {
  verifies("revision-refused");
  const claim = (id: number, version: string): string =>
    JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": version } },
    });
  const seen = await outcome([claim(1, "2026-07-28"), claim(2, "2099-01-01"), ping(3), claim(4, "x")].join("\n"));
  deepStrictEqual(seen, { ids: [1, 3], errors: [[2, -32022], [4, -32022]] });
});

Deno.test("StdioTransport refuses by name an argument or param that would vanish on its way to a tool", async () => {
  verifies("unknown-arguments");
  const calling = (id: number, args: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":${args}}}\n`;
  const { messages, pipes } = await runThrough(
    calling(1, '{"__proto__":{}}'),
    calling(2, '{"params":{"__proto__":{}}}'),
    calling(3, '{"params":{"a":{"__proto__":{}}}}'),
  );
  const refused = pipes.answers.filter(({ error }) => error);
  deepStrictEqual(refused.map(({ id, error }) => [id, error.code]), [[1, -32602], [2, -32602]]);
  for (const { error } of refused) ok(error.message.includes("__proto__"));
  strictEqual(messages.length, 1);
});
