import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { MAX_PENDING_OUTPUT_LENGTH } from "../../../lib/mcp/stdio_transport.ts";
import { verifies } from "../../requirements.ts";
import { deeplyNested } from "../support.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { settled, startTransport } from "./byte_pipes.ts";

const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
const answer = (id: number, text = ""): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: { text } });

Deno.test("StdioTransport.send() writes a line per message, in order, those of one turn together", async () => {
  const { transport, pipes } = await startTransport();
  await Promise.all([1, 2, 3].map((id) => transport.send(answer(id, "群"))));
  deepStrictEqual(pipes.answers.map(({ id }) => id), [1, 2, 3]);
  strictEqual(pipes.writes, 1);
  pipes.end();
});

Deno.test("StdioTransport.send() writes every byte through a writer that takes few at a time", async () => {
  const { transport, pipes } = await startTransport();
  pipes.writeAtMost = 7;
  const text = "群😀".repeat(500);
  await transport.send(answer(1, text));
  deepStrictEqual(pipes.answers, [answer(1, text)]);
  ok(pipes.writes > 100);
  pipes.end();
});

Deno.test("StdioTransport.send() keeps messages apart that come while a write is under way", async () => {
  const { transport, pipes } = await startTransport();
  const gate = Promise.withResolvers<void>();
  pipes.beforeWrite = () => gate.promise;
  pipes.writeAtMost = 10;
  const first = transport.send(answer(1));
  await settled();
  const more = [transport.send(answer(2)), transport.send(answer(3))];
  gate.resolve();
  await Promise.all([first, ...more]);
  deepStrictEqual(pipes.answers, [answer(1), answer(2), answer(3)]);
  pipes.end();
});

Deno.test("StdioTransport.send() resolves only when the message is out", async () => {
  const { transport, pipes } = await startTransport();
  const gate = Promise.withResolvers<void>();
  pipes.beforeWrite = () => gate.promise;
  let out = false;
  const sent = transport.send(answer(1)).then(() => out = true);
  await settled();
  strictEqual(out, false);
  gate.resolve();
  await sent;
  strictEqual(pipes.answers.length, 1);
  pipes.end();
});

Deno.test("StdioTransport.send() resolves for each message when that one is out, though others wait", async () => {
  const { transport, pipes } = await startTransport();
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let writes = 0;
  pipes.beforeWrite = () => gates[writes++]?.promise ?? Promise.resolve();
  const out: number[] = [];
  const send = (id: number): Promise<unknown> => transport.send(answer(id)).then(() => out.push(id));
  const all = [send(1)];
  await settled();
  all.push(send(2)); // waits for the next write
  gates[0]?.resolve();
  await settled();
  all.push(send(3));
  deepStrictEqual(out, [1]);
  gates[1]?.resolve();
  await settled();
  deepStrictEqual(out, [1, 2]);
  gates[2]?.resolve();
  await Promise.all(all);
  deepStrictEqual(out, [1, 2, 3]);
  pipes.end();
});

Deno.test("StdioTransport.send() resolves at once for errors and acknowledged listens, and in order", async () => {
  const { transport, pipes } = await startTransport();
  const gate = Promise.withResolvers<void>();
  pipes.beforeWrite = () => gate.promise;
  const waiting = transport.send(answer(1));
  await transport.send({ jsonrpc: "2.0", id: 2, error: { code: -32603, message: "no" } });
  await transport.send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: {} });
  strictEqual(pipes.answers.length, 0);
  gate.resolve();
  await waiting;
  await settled();
  deepStrictEqual(pipes.answers.map(({ id, method }) => id ?? method), [
    1,
    2,
    "notifications/subscriptions/acknowledged",
  ]);
  pipes.end();
});

Deno.test("StdioTransport.close() resolves whatever still waits to be sent", async () => {
  const { transport, pipes } = await startTransport();
  pipes.beforeWrite = () => new Promise(() => {});
  const sent = [transport.send(answer(1)), transport.send(answer(2))];
  await settled();
  await transport.close();
  await Promise.all(sent);
  pipes.end();
});

Deno.test("StdioTransport.send() answers with an error what is nested too deeply to be written", async () => {
  verifies("bad-answers");
  const { transport, pipes } = await startTransport();
  const result = { deep: deeplyNested(parseJson("9007199254740993")) };
  await transport.send({ jsonrpc: "2.0", id: 1, result });
  await transport.send(answer(2));
  deepStrictEqual(pipes.answers.map(({ id, error }) => [id, error?.code]), [[1, -32603], [2, undefined]]);
  pipes.end();
});

/** A transport that answers each request with a megabyte, and a client that takes none before the gate is opened. */
async function startTalker() {
  const started = await startTransport();
  const gate = Promise.withResolvers<void>();
  started.pipes.beforeWrite = () => gate.promise;
  const text = "x".repeat(1024 * 1024);
  const count = { answered: 0 };
  started.transport.onmessage = (message): void => {
    count.answered++;
    const { id } = message as { id: number };
    queueMicrotask(() => void started.transport.send(answer(id, text)));
  };
  return { ...started, gate, text, count };
}

Deno.test("StdioTransport reads no further while a client takes no answers", async () => {
  verifies("bounded");
  const { transport, pipes, ended, gate, text, count } = await startTalker();
  pipes.feed(...Array.from({ length: 200 }, (_, id) => ping(id)));
  pipes.end();
  for (let turn = 0; turn < 50; turn++) await settled();
  const most = MAX_PENDING_OUTPUT_LENGTH / text.length + 3; // one on its way, one that tips the scale, one just read
  ok(count.answered <= most, `${count.answered} requests were read`);
  gate.resolve();
  await ended;
  await transport.whenIdle();
  deepStrictEqual(pipes.answers.map(({ id }) => id), Array.from({ length: 200 }, (_, id) => id));
});

Deno.test("StdioTransport takes no further requests of one chunk while a client takes no answers", async () => {
  verifies("bounded");
  const { transport, pipes, ended, gate, count } = await startTalker();
  const chunk = Array.from({ length: 400 }, (_, id) => ping(id)).join("");
  ok(chunk.length < 60_000);
  pipes.feed(chunk);
  pipes.end();
  for (let turn = 0; turn < 50; turn++) await settled();
  ok(count.answered < 100, `${count.answered} requests were taken`);
  gate.resolve();
  await ended;
  await transport.whenIdle();
  strictEqual(count.answered, 400);
});

Deno.test("StdioTransport reads no further while one large answer is being written", async () => {
  verifies("bounded");
  const { transport, pipes, messages, ended } = await startTransport();
  const gate = Promise.withResolvers<void>();
  pipes.beforeWrite = () => gate.promise;
  pipes.feed(ping(1));
  await settled();
  void transport.send(answer(1, "x".repeat(MAX_PENDING_OUTPUT_LENGTH + 1)));
  await settled();
  pipes.feed(...Array.from({ length: 20 }, (_, i) => ping(i + 2)));
  pipes.end();
  for (let turn = 0; turn < 20; turn++) await settled();
  ok(messages.length <= 2, `${messages.length - 1} more requests were read`); // a read that was under way may end
  gate.resolve();
  await ended;
  strictEqual(messages.length, 21);
});

Deno.test("StdioTransport with a broken writer closes, ends once, and drops what is sent later", async () => {
  const { transport, pipes, errors, ended, ends } = await startTransport();
  let closed = 0;
  transport.onclose = (): void => void closed++;
  pipes.beforeWrite = () => Promise.reject(new Deno.errors.BrokenPipe("gone"));
  await transport.send(answer(1));
  await ended;
  await transport.send(answer(2));
  strictEqual(closed, 1);
  strictEqual(errors.length, 1);
  strictEqual(pipes.writes, 1);
  pipes.feed(ping(3));
  pipes.end();
  for (let turn = 0; turn < 5; turn++) await settled();
  strictEqual(ends.count, 1);
});

Deno.test("StdioTransport with a broken reader tells of the error and of the end", async () => {
  const { transport, pipes, errors, ended, ends } = await startTransport();
  pipes.read = () => Promise.reject(new Deno.errors.BadResource("gone"));
  pipes.feed(ping(1));
  await ended;
  strictEqual(errors.length, 1);
  strictEqual(ends.count, 1);
  await transport.send(answer(1)); // it stays open for answers
  strictEqual(pipes.answers.length, 1);
});
