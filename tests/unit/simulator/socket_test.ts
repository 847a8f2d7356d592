/** The WebSocket adapter from the client's side: the door, greeting and goodbye, roles, calls. */
import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { MAX_SOCKETS } from "../../../lib/simulator/socket_server.ts";
import { verifies } from "../../requirements.ts";
import { data } from "./support.ts";
import { Client, connect, dial, type Frame, refusalOf, until } from "./socket_support.ts";

const NOW = 1_800_000_000;
const CLOCK = { now: (): number => NOW * 1000 };
const STATUS = { online: true, good: true };
const META = { time: NOW, self_id: 10001, post_type: "meta_event", status: STATUS };
const BEARER = { headers: { authorization: "Bearer secret" } };

Deno.test("startSimulator() has no WebSocket unless it is asked for one", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator();
  deepStrictEqual([simulator.wsUrl, simulator.sockets], [undefined, 0]);
  throws(() => simulator.emit({ post_type: "notice" }), /without wsPort/);
  await rejects(simulator.burst(1), /without wsPort/);
  await using two = await startSimulator({ wsPort: 0 });
  ok(/^ws:\/\/127\.0\.0\.1:\d+\/$/.test(two.wsUrl ?? ""), two.wsUrl);
  ok(new URL(two.wsUrl ?? "").port !== String(two.port));
});

Deno.test("startSimulator() leaves nothing behind when the port of the WebSocket is taken", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  const wsPort = Number(new URL(simulator.wsUrl ?? "").port);
  const port = await freePort();
  await rejects(startSimulator({ port, wsPort }));
  await using again = await startSimulator({ port });
  strictEqual(again.port, port);
});

Deno.test("startSimulator() refuses a heartbeat out of bounds", async () => {
  verifies("simulator-socket");
  for (const heartbeatMs of [0, -1, NaN, 2_147_483_648]) {
    await rejects(startSimulator({ wsPort: 0, heartbeatMs }), RangeError);
  }
});

Deno.test("a socket is greeted, beats, and is told of the end", async () => {
  verifies("simulator-socket");
  const simulator = await startSimulator({ ...CLOCK, wsPort: 0, heartbeatMs: 50 });
  const client = dial(simulator);
  const lifecycle = (sub_type: string): Frame => ({ ...META, meta_event_type: "lifecycle", sub_type });
  const heartbeat = { ...META, meta_event_type: "heartbeat", interval: 50 };
  const greeting = [await client.take(), await client.take(), await client.take()];
  deepStrictEqual(greeting, [lifecycle("connect"), lifecycle("enable"), heartbeat]);
  for (let beat = 0; beat < 2; beat += 1) deepStrictEqual(await client.take(), heartbeat);
  strictEqual(simulator.sockets, 1);
  await simulator.close();
  strictEqual((await client.closed)[0], 1012);
  deepStrictEqual(client.frames.at(-1), lifecycle("disable"));
  strictEqual(simulator.sockets, 0);
  await simulator.close();
});

Deno.test("heartbeats come every 30 s unless told otherwise", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = dial(simulator);
  strictEqual((await client.take(({ meta_event_type }) => meta_event_type === "heartbeat")).interval, 30_000);
});

// The sanitizers find timers that are left.
Deno.test("close() ends heartbeats", { sanitizeOps: true, sanitizeResources: true }, async () => {
  verifies("simulator-socket");
  const simulator = await startSimulator({ wsPort: 0 });
  const client = await connect(simulator);
  await simulator.close();
  await client.closed;
});

Deno.test("close() does not wait for a client that does not answer", async () => {
  verifies("simulator-socket");
  const simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  client.socket.pause();
  const start = performance.now();
  await simulator.close();
  ok(performance.now() - start < 5_000);
});

Deno.test("the door takes the configured path to the letter, and the token in either form", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, token: "http", wsToken: "secret", wsPath: "/bot" });
  for (const target of ["/", "/api", "/event", "/bot/", "/bots"]) {
    strictEqual(await refusalOf(simulator, { ...BEARER, target }), 400, target);
  }
  for (const options of [BEARER, { target: "/bot?access_token=secret" }]) {
    await using client = await connect(simulator, options);
    strictEqual((await client.call("get_login_info")).data.user_id, 10001);
  }
});

Deno.test("the token of the WebSocket is that of HTTP unless it has its own", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, token: "secret" });
  await using _client = await connect(simulator, BEARER);
  const denied = dial(simulator);
  strictEqual((await denied.closed)[0], 1008);
});

Deno.test("a wrong token opens and then closes with 1008, and nothing else is said or done", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, wsToken: "secret" });
  for (const options of [{}, { headers: { authorization: "bearer secret" } }, { target: "/?access_token=no" }]) {
    const client = dial(simulator, options);
    client.socket.once("open", () => client.socket.send(JSON.stringify({ action: "get_status" })));
    deepStrictEqual(await client.closed, [1008, "invalid access token"]);
    deepStrictEqual(client.frames, []);
  }
  deepStrictEqual(simulator.requests.map(({ method }) => method), ["UPGRADE", "UPGRADE", "UPGRADE"]);
});

Deno.test("a wrong token is refused before the upgrade where newer bots are played", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, wsToken: "secret", wsRefusal: "http" });
  strictEqual(await refusalOf(simulator), 401);
  strictEqual(await refusalOf(simulator, { target: "/other" }), 400);
  await using _client = await connect(simulator, BEARER);
});

Deno.test("plain HTTP on the port of the WebSocket answers 426", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  const response = await fetch((simulator.wsUrl ?? "").replace("ws:", "http:"));
  await response.body?.cancel();
  strictEqual(response.status, 426);
});

Deno.test("roles say who gets events and whose calls are answered", async () => {
  verifies("simulator-socket");
  await using events = await startSimulator({ wsPort: 0, wsRole: "event" });
  await using listener = await connect(events);
  listener.socket.send(JSON.stringify({ action: "set_group_name", params: { group_id: 20001, group_name: "New" } }));
  await until(() => events.requests.some(({ method }) => method === "WS"));
  events.receive({ user_id: 11001, message: "x" });
  await listener.event();
  deepStrictEqual(listener.frames, []);
  strictEqual((await data(events, "get_group_info", { group_id: 20001 })).group_name, "SnowLuma Playground");

  await using calls = await startSimulator({ wsPort: 0, wsRole: "api", heartbeatMs: 5 });
  await using caller = dial(calls);
  await new Promise<void>((resolve) => caller.socket.once("open", resolve));
  calls.receive({ user_id: 11001, message: "x" });
  calls.emit({ post_type: "notice" });
  strictEqual(calls.sockets, 0);
  strictEqual((await caller.call("get_login_info")).data.user_id, 10001);
  deepStrictEqual(caller.frames, []);
});

Deno.test("a call is answered with its echo, and acts on the same world as HTTP", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, answers: false });
  await using client = await connect(simulator);
  const echo = { any: [1, null] };
  client.socket.send(JSON.stringify({ action: "get_login_info", echo }));
  const nickname = "Simulated Bot";
  deepStrictEqual(await client.take(), { status: "ok", retcode: 0, data: { user_id: 10001, nickname }, echo });
  client.socket.send(JSON.stringify({ action: "get_login_info" }));
  ok(!("echo" in await client.take()));
  const { data: { message_id } } = await client.call("send_group_msg", { group_id: 20001, message: "over" });
  strictEqual((await data(simulator, "get_msg", { message_id })).raw_message, "over");
  const unknown = await client.call("no_such_action");
  deepStrictEqual([unknown.status, unknown.retcode, unknown.data], ["failed", 1404, null]);
  // Other params than an object are none, and what stands beside them is not looked at.
  for (const params of [undefined, null, ["x"], "x"]) {
    client.socket.send(JSON.stringify({ action: "get_stranger_info", user_id: 11001, params }));
    strictEqual((await client.take()).retcode, 1400);
  }
});

Deno.test("what is no call gets 1400 without an echo", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  const expected = { status: "failed", retcode: 1400, data: null, wording: "bad request" };
  for (const text of ["", "{", "[]", "1", "null", '{"echo":1}', '{"action":"","echo":1}', '{"action":5,"echo":1}']) {
    client.socket.send(text);
    deepStrictEqual(await client.take(), expected, text);
  }
  client.socket.send(JSON.stringify({ action: "get_status", echo: 1 }), { binary: true });
  deepStrictEqual(await client.take(), expected);
  strictEqual((await client.call("get_status")).retcode, 0, "the socket stays open");
});

Deno.test("a stream answers with one message per frame, each with the echo", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  client.socket.send(JSON.stringify({ action: "test_download_stream", echo: "s" }));
  const frames: Frame[] = [];
  while (frames.at(-1)?.data.type !== "response") frames.push(await client.take());
  strictEqual(frames.length, 11);
  for (const frame of frames) {
    deepStrictEqual([frame.echo, frame.stream, frame.wording, frame.message], ["s", "stream-action", "", ""]);
  }
});

Deno.test("answers overtake each other", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  simulator.script({ kind: "delay", ms: 100, action: "get_status" });
  const slow = client.call("get_status");
  const order: string[] = [];
  await Promise.all([
    slow.then(() => order.push("first")),
    client.call("get_login_info").then(() => order.push("second")),
  ]);
  deepStrictEqual(order, ["second", "first"]);
});

Deno.test("requests hold upgrades and what came over sockets", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0, wsToken: "secret" });
  await using client = await connect(simulator, { ...BEARER, target: "/?a=b" });
  const text = JSON.stringify({ action: "get_stranger_info", params: { user_id: 11001 }, echo: 1 });
  client.socket.send(text);
  await client.take();
  client.socket.send("nothing");
  await client.take();
  const seen = simulator.requests.map(({ method, path, action, params, bodyBytes, headers }) => {
    return [method, path, action, params, bodyBytes, headers.authorization];
  });
  deepStrictEqual(seen, [
    ["UPGRADE", "/?a=b", null, {}, 0, "Bearer secret"],
    ["WS", "/?a=b", "get_stranger_info", { user_id: 11001 }, text.length, "Bearer secret"],
    ["WS", "/?a=b", null, {}, 7, "Bearer secret"],
  ]);
});

Deno.test("sockets beyond the bound are refused with 503 until others go", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using stack = new AsyncDisposableStack();
  for (let count = 0; count < MAX_SOCKETS; count += 1) stack.use(await connect(simulator));
  strictEqual(simulator.sockets, MAX_SOCKETS);
  strictEqual(await refusalOf(simulator), 503);
  await stack.disposeAsync();
  await until(() => simulator.sockets === 0);
  await using _client = await connect(simulator);
});

Deno.test("a message that announces more than 100 MiB closes its socket with 1009", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  const port = Number(new URL(simulator.wsUrl ?? "").port);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const upgrade = ["GET / HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"];
  const key = ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""];
  await connection.write(new TextEncoder().encode([...upgrade, ...key].join("\r\n")));
  // A masked text frame with a length of eight bytes: one more than 100 MiB.
  await connection.write(new Uint8Array([0x81, 0xff, 0, 0, 0, 0, 0x06, 0x40, 0, 1, 0, 0, 0, 0]));
  const bytes = new Uint8Array(await new Response(connection.readable).arrayBuffer());
  // The last frame is a close frame of two bytes: 1009.
  deepStrictEqual([...bytes.slice(-4)], [0x88, 0x02, 0x03, 0xf1]);
});

Deno.test("a client that breaks the protocol is closed, and the others are not", async () => {
  verifies("simulator-socket");
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  const rude = new Client(simulator.wsUrl ?? "");
  await rude.take();
  // Text that is no UTF-8.
  rude.socket.send(new Uint8Array([0xff, 0xfe]), { binary: false });
  strictEqual((await rude.closed)[0], 1007);
  strictEqual((await client.call("get_status")).retcode, 0);
});

async function freePort(): Promise<number> {
  await using simulator = await startSimulator();
  return simulator.port;
}
