import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { verifies } from "../../requirements.ts";
import { settled, type StartedTransport, startTransport } from "./byte_pipes.ts";

const ping = (id: number | string): string => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
const cancelled = (id: number | string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })}\n`;

/** Tells whether the transport is idle by now. */
async function isIdle({ transport }: StartedTransport): Promise<boolean> {
  let idle = false;
  void transport.whenIdle().then(() => idle = true);
  await settled();
  return idle;
}
const listen = (id: number | string, notifications: unknown = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications } })}\n`;

async function fed(...lines: string[]): Promise<StartedTransport> {
  const started = await startTransport();
  started.pipes.feed(...lines);
  started.pipes.end();
  await started.ended;
  return started;
}

Deno.test("StdioTransport.whenIdle() resolves at once when nothing was asked", async () => {
  strictEqual(await isIdle(await fed()), true);
  strictEqual(await isIdle(await fed('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')), true);
});

Deno.test("StdioTransport.whenIdle() waits for every request to be answered, by result or by error", async () => {
  verifies("shutdown");
  const started = await fed(ping(1), ping("1"), ping(2));
  const { transport } = started;
  let idle = false;
  const waiting = transport.whenIdle().then(() => idle = true);
  strictEqual(await isIdle(started), false);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  strictEqual(await isIdle(started), false, "the text 1 is another id than the number");
  await transport.send({ jsonrpc: "2.0", id: "1", error: { code: 1, message: "no" } });
  strictEqual(await isIdle(started), false);
  strictEqual(idle, false, "who waited from the beginning waits for all of them");
  await transport.send({ jsonrpc: "2.0", id: 2, result: {} });
  strictEqual(await isIdle(started), true);
  await waiting;
});

Deno.test("StdioTransport.whenIdle() does not wait for requests that the client cancelled", async () => {
  verifies("shutdown", "cancel");
  strictEqual(await isIdle(await fed(ping(1), cancelled(1))), true);
  strictEqual(await isIdle(await fed(ping(1), cancelled(2))), false);
  strictEqual(await isIdle(await fed(ping(1), ping(2), cancelled(1))), false);
});

Deno.test("StdioTransport.whenIdle() does not wait for what the transport answered itself", async () => {
  const started = await fed("{oops\n", '{"id":5}\n', "[]\n");
  strictEqual(await isIdle(started), true);
  strictEqual(started.pipes.answers.length, 3);
});

Deno.test("StdioTransport.whenIdle() waits until the answers are out", async () => {
  verifies("shutdown");
  const started = await fed(ping(1));
  const gate = Promise.withResolvers<void>();
  started.pipes.beforeWrite = () => gate.promise;
  void started.transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  strictEqual(await isIdle(started), false);
  gate.resolve();
  await started.transport.whenIdle();
  strictEqual(started.pipes.answers.length, 1);
});

Deno.test("StdioTransport.whenIdle() is not ended by requests and notifications that the server sends", async () => {
  const started = await fed(ping(1));
  await started.transport.send({ jsonrpc: "2.0", id: 1, method: "roots/list" });
  await started.transport.send({ jsonrpc: "2.0", method: "notifications/message", params: {} });
  strictEqual(await isIdle(started), false);
  await started.transport.send({ jsonrpc: "2.0", id: 1, result: {} });
});

Deno.test("StdioTransport.ignoreInput() drops what still comes in and lets answers out", async () => {
  verifies("shutdown");
  const started = await startTransport();
  const { transport, pipes, messages, ended } = started;
  pipes.feed(ping(1));
  await settled();
  transport.ignoreInput();
  pipes.feed(ping(2), "{oops\n");
  pipes.end();
  await ended;
  strictEqual(messages.length, 1);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  deepStrictEqual(pipes.answers.map(({ id }) => id), [1]);
  strictEqual(await isIdle(started), true);
});

Deno.test("StdioTransport.close() delivers and writes nothing more, and tells so once", async () => {
  const { transport, pipes, messages, ended } = await startTransport();
  let closed = 0;
  transport.onclose = (): void => void closed++;
  await transport.close();
  await transport.close();
  strictEqual(closed, 1);
  pipes.feed(ping(1));
  pipes.end();
  await ended;
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  strictEqual(messages.length, 0);
  strictEqual(pipes.output, "");
});

Deno.test("StdioTransport tells of the end of input once, after the last line", async () => {
  verifies("shutdown");
  const { transport, pipes, messages, ended, ends } = await startTransport();
  transport.onmessage = (message): void => {
    strictEqual(ends.count, 0);
    messages.push(message);
  };
  pipes.feed('{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}');
  pipes.end();
  await ended;
  await settled();
  strictEqual(messages.length, 2);
  strictEqual(ends.count, 1);
});

Deno.test("StdioTransport.whenIdle() does not wait for a client that listens, but for what is asked beside", async () => {
  verifies("shutdown", "events-updated-modern");
  strictEqual(await isIdle(await fed(listen(1), listen("1"))), true);
  const started = await fed(listen(1), ping(2));
  strictEqual(await isIdle(started), false);
  await started.transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  strictEqual(await isIdle(started), false);
  await started.transport.send({ jsonrpc: "2.0", id: 2, result: {} });
  strictEqual(await isIdle(started), true);
});

Deno.test("StdioTransport holds the id of a listening client in use until it is cancelled or answered", async () => {
  verifies("bad-lines", "events-updated-modern");
  const { transport, pipes, messages } = await startTransport();
  const taken = async (...lines: string[]): Promise<[delivered: number, refused: unknown[]]> => {
    const [before, answered] = [messages.length, pipes.answers.length];
    pipes.feed(...lines);
    await settled();
    await settled();
    const refused = pipes.answers.slice(answered).map(({ id, error }) => [id, error?.code]);
    return [messages.length - before, refused];
  };
  deepStrictEqual(await taken(listen(1)), [1, []]);
  deepStrictEqual(await taken(listen(1), ping(1), ping("1"), cancelled(2)), [2, [[1, -32600], [1, -32600]]]);
  match(pipes.answers[0]?.error.message, /still in use/);
  deepStrictEqual(await taken(cancelled(1), listen(1)), [2, []]);
  deepStrictEqual(await taken(listen(1)), [0, [[1, -32600]]]);
  await transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } });
  await settled(); // which does not wait until it is out
  deepStrictEqual(await taken(ping(1)), [1, []]);
  // what was refused here is not in use
  deepStrictEqual(await taken(listen(3, { resourceSubscriptions: Array(65).fill("x") })), [0, [[3, -32602]]]);
  deepStrictEqual(await taken(ping(3), listen(3)), [1, [[3, -32600]]]);
  pipes.end();
});
