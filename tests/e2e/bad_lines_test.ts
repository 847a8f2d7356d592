/** Lines that are no JSON-RPC message: one error each, and the session goes on. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { modernRequest } from "./support.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const NEWLINE = new TextEncoder().encode("\n");

function bytes(...parts: Array<string | number[]>): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );
}

const CASES: Array<[name: string, line: string | Uint8Array, code: number, id: Message["id"]]> = [
  ["half an object", "{oops", PARSE_ERROR, null],
  ["two objects", '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', PARSE_ERROR, null],
  ["a message cut off", '{"jsonrpc":"2.0","id":1,"method":"pi', PARSE_ERROR, null],
  ["a word", "hello", PARSE_ERROR, null],
  ["a log line", "[12:00:00] INFO started", PARSE_ERROR, null],
  ["an HTTP request", "GET / HTTP/1.1", PARSE_ERROR, null],
  ["trailing comma", '{"jsonrpc":"2.0","id":1,"method":"ping",}', PARSE_ERROR, null],
  ["invalid UTF-8", bytes('{"jsonrpc":"2.0","id":1,"method":"', [0xff, 0xfe], '"}'), PARSE_ERROR, null],
  ["half a UTF-8 character", bytes('{"jsonrpc":"2.0","id":1,"method":"', [0xe7, 0xbe], '"}'), PARSE_ERROR, null],
  [
    "a lone surrogate in UTF-8",
    bytes('{"jsonrpc":"2.0","id":1,"method":"', [0xed, 0xa0, 0x80], '"}'),
    PARSE_ERROR,
    null,
  ],
  ["NUL bytes", bytes([0, 0, 0]), PARSE_ERROR, null],
  ["an empty list", "[]", INVALID_REQUEST, null],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', INVALID_REQUEST, null],
  ["null", "null", INVALID_REQUEST, null],
  ["a number", "5", INVALID_REQUEST, null],
  ["text", '"ping"', INVALID_REQUEST, null],
  ["an empty object", "{}", INVALID_REQUEST, null],
  ["jsonrpc 1.0", '{"jsonrpc":"1.0","id":7,"method":"ping"}', INVALID_REQUEST, 7],
  ["jsonrpc as a number", '{"jsonrpc":2.0,"id":7,"method":"ping"}', INVALID_REQUEST, 7],
  ["no jsonrpc", '{"id":"a","method":"ping"}', INVALID_REQUEST, "a"],
  ["null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST, null],
  ["fraction as id", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID_REQUEST, null],
  ["object as id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', INVALID_REQUEST, null],
  ["boolean as id", '{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID_REQUEST, null],
  ["id beyond 2^53", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', INVALID_REQUEST, null],
  ["method as a number", '{"jsonrpc":"2.0","id":8,"method":5}', INVALID_REQUEST, 8],
  ["method as null", '{"jsonrpc":"2.0","id":8,"method":null}', INVALID_REQUEST, 8],
  ["params as a list", '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', INVALID_REQUEST, 9],
  ["params as null", '{"jsonrpc":"2.0","id":9,"method":"ping","params":null}', INVALID_REQUEST, 9],
  ["neither method nor result", '{"jsonrpc":"2.0","id":10}', INVALID_REQUEST, 10],
  ["method of another name", '{"jsonrpc":"2.0","id":11,"__proto__":{"method":"ping"}}', INVALID_REQUEST, 11],
];

for (const modern of [false, true]) {
  const era = modern ? "newer" : "older";
  Deno.test(`a bad line is answered with one error and the session goes on (${era} generation)`, async (t) => {
    verifies("bad-lines", "parse-error");
    await using server = new ServerProcess();
    const alive = (id: string): Promise<Message> =>
      modern ? modernRequest(server, id, "tools/list") : server.request(id, "ping");
    if (!modern) await server.initialize();
    await alive("first");
    for (const [index, [name, line, code, id]] of CASES.entries()) {
      await t.step(name, async () => {
        const before = server.lines.length;
        await server.send(typeof line === "string" ? `${line}\n` : Uint8Array.from([...line, ...NEWLINE]));
        ok("result" in await alive(`after ${index}`));
        const answers = server.lines.slice(before).map((text) => JSON.parse(text));
        strictEqual(answers.length, 2, "one error and one answer");
        const [{ jsonrpc, error, ...rest }] = answers;
        deepStrictEqual([jsonrpc, error.code, rest], ["2.0", code, { id }]);
        ok(error.message.length > 10 && error.message.length < 300, error.message);
      });
    }
  });
}

Deno.test("a bad line before the first message does not spoil the handshake", async () => {
  verifies("bad-lines", "parse-error");
  await using server = new ServerProcess();
  await server.send("{oops\n[]\n\u{feff}\n");
  strictEqual((await server.receive(({ id }) => id === null)).error.code, PARSE_ERROR);
  strictEqual((await server.initialize("2025-06-18")).result.protocolVersion, "2025-06-18");
  ok((await server.request(1, "tools/list")).result.tools.length > 0);
});

Deno.test("blank lines, CRLF ends, strange notifications and stray answers are passed over in silence", async () => {
  verifies("bad-lines");
  await using server = new ServerProcess();
  await server.initialize();
  const before = server.lines.length;
  await server.send("\n\r\n   \n\t\n");
  await server.send('{"jsonrpc":"2.0","method":"notifications/no_such"}\n');
  await server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}\n');
  await server.send('{"jsonrpc":"2.0","method":"notifications/cancelled"}\n');
  await server.send('{"jsonrpc":"2.0","id":99,"result":{}}\n');
  await server.send('{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"x"}}\n');
  await server.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
  await server.receive(({ id }) => id === 1);
  deepStrictEqual(server.lines.slice(before).map((line) => JSON.parse(line).id), [1]);
});

Deno.test("a line cut into single bytes, and several lines in one write, are read as what they are", async () => {
  verifies("bad-lines");
  await using server = new ServerProcess();
  await server.initialize();
  const line = `${JSON.stringify({ jsonrpc: "2.0", id: "群\u{1f600}", method: "ping" })}\n`;
  for (const byte of new TextEncoder().encode(line)) await server.send(Uint8Array.of(byte));
  await server.receive(({ id }) => id === "群\u{1f600}");
  await server.send([1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(""));
  for (const wanted of [1, 2, 3]) await server.receive(({ id }) => id === wanted);
});

Deno.test("a line of 33 MiB is answered with one error, a line of 31 MiB with its own answer", async () => {
  verifies("bad-lines", "bounded");
  await using server = new ServerProcess();
  await server.initialize();
  const mib = 1024 * 1024;
  const before = server.lines.length;
  await server.send(new Uint8Array(33 * mib).fill(0x61));
  await server.send('\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await server.receive(({ id }) => id === 1, 30_000);
  const answers = server.lines.slice(before).map((text) => JSON.parse(text));
  deepStrictEqual(answers.map(({ id, error }) => [id, error?.code]), [[null, INVALID_REQUEST], [1, undefined]]);
  ok(answers[0].error.message.includes(String(32 * mib)), answers[0].error.message);

  await server.send(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_action","arguments":{"name":"',
  );
  await server.send(new Uint8Array(31 * mib).fill(0x61));
  await server.send('"}}}\n');
  const { result } = await server.receive(({ id }) => id === 2, 30_000);
  strictEqual(result.structuredContent.diagnostics.kind, "unknown_action");
  ok(JSON.stringify(result).length < 2000);
});

Deno.test("a last line without its end is answered before the process ends", async () => {
  verifies("bad-lines", "shutdown");
  await using server = new ServerProcess();
  await server.initialize();
  await server.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  ok((await server.receive(({ id }) => id === 1)).result);
});
