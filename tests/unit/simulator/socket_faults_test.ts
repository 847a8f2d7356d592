/** Sockets that misbehave on cue. */
import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { data } from "./support.ts";
import { type Client, connect, until } from "./socket_support.ts";

const HELLO = { group_id: 20001, message: "hello" };

async function withClient(test: (simulator: Simulator, client: Client) => Promise<void>): Promise<void> {
  await using simulator = await startSimulator({ wsPort: 0, answers: false, now: () => 1_800_000_000_000 });
  await using client = await connect(simulator);
  await test(simulator, client);
}

Deno.test("emit() sends what it is given to every socket, and fills in time and account", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    await using other = await connect(simulator);
    const event = { post_type: "notice", notice_type: "made_up" };
    simulator.emit(event);
    const whole = { ...event, time: 1_800_000_000, self_id: 10001 };
    deepStrictEqual([await client.take(), await other.take()], [whole, whole]);
    simulator.emit({ ...event, self_id: 99999, time: "never" });
    deepStrictEqual(await client.take(), { ...event, self_id: 99999, time: "never" });
  });
});

Deno.test("sendRaw() sends text and bytes as they are, however large", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const received: [data: Uint8Array, isBinary: boolean][] = [];
    client.socket.on("message", (data, isBinary) => received.push([new Uint8Array(data), isBinary]));
    simulator.sendRaw('{"post_type":');
    simulator.sendRaw(new Uint8Array([1, 2, 255]));
    simulator.sendRaw(new TextEncoder().encode("text"), "text");
    simulator.sendRaw("x".repeat(5_000_000));
    simulator.sendRaw("");
    await until(() => received.length === 5);
    deepStrictEqual(received.map(([, isBinary]) => isBinary), [false, true, false, false, false]);
    deepStrictEqual(received.map(([data]) => data.byteLength), [13, 3, 4, 5_000_000, 0]);
    deepStrictEqual(received[1]?.[0], new Uint8Array([1, 2, 255]));
    simulator.sendRaw(new Uint8Array([0xff, 0xfe]), "text");
    await client.closed; // no UTF-8, so the client hangs up
  });
});

Deno.test("burst() sends every event, also to a client that reads late", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    client.socket.pause();
    const filler = "x".repeat(10_000);
    let made = 0;
    const burst = simulator.burst(2_000, (index) => {
      made += 1;
      return { post_type: "notice", index, filler };
    });
    // 20 MB: more than any buffer on the way.
    for (let last = -1; last !== made;) {
      last = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    ok(made > 0 && made < 2_000, `${made} events were made for nobody`);
    client.socket.resume();
    await burst;
    await until(() => client.frames.length === 2_000);
    deepStrictEqual(client.frames.map(({ index }) => index), Array.from({ length: 2_000 }, (_, index) => index));
  });
});

Deno.test("burst() makes messages that differ and that nobody keeps, unless told what to make", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    await simulator.burst(100);
    await until(() => client.frames.length === 100);
    strictEqual(new Set(client.frames.map(({ message_id }) => message_id)).size, 100);
    const { post_type, group_id, user_id, raw_message } = client.frames[99];
    deepStrictEqual([post_type, group_id, user_id, raw_message], ["message", 20001, 12001, "Burst 99"]);
    const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001 });
    strictEqual(messages.length, 6);
  });
});

Deno.test("burst() ends when the client it waits for is gone", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    client.socket.pause();
    const burst = simulator.burst(2_000, () => ({ post_type: "notice", filler: "x".repeat(10_000) }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    simulator.dropSockets();
    await burst;
  });
});

Deno.test("events are dropped while a client does not read, and come again when it does", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    await using reader = await connect(simulator);
    client.socket.pause();
    const filler = "x".repeat(100_000);
    // 20 MB, with pauses in which the other client reads.
    for (let index = 0; index < 200; index += 1) {
      simulator.emit({ post_type: "notice", index, filler });
      await reader.take(({ index: sent }) => sent === index);
    }
    client.socket.resume();
    let next = 200;
    await until(() => {
      simulator.emit({ post_type: "notice", index: next });
      next += 1;
      return client.frames.some(({ index }) => index >= 200);
    });
    const indexes: number[] = client.frames.map(({ index }) => index);
    strictEqual(indexes[0], 0);
    ok(indexes.filter((index) => index < 200).length < 200, "nothing was dropped");
    deepStrictEqual(indexes, indexes.toSorted((a, b) => a - b));
  });
});

Deno.test("closeSockets() closes with its code and reason, and others may come", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    simulator.closeSockets();
    deepStrictEqual(await client.closed, [1000, ""]);
    for (const [code, reason] of [[1008, "access token changed"], [1012, ""], [4999, "é"]] as const) {
      await using next = await connect(simulator);
      simulator.closeSockets(code, reason);
      strictEqual(simulator.sockets, 0);
      deepStrictEqual(await next.closed, [code, reason]);
    }
    await using next = await connect(simulator);
    for (const code of [0, 999, 1004, 1005, 1006, 1015, 1100, 2999, 5000, 1000.5]) {
      throws(() => simulator.closeSockets(code), RangeError, String(code));
    }
    throws(() => simulator.closeSockets(1000, "é".repeat(62)), RangeError);
    strictEqual((await next.call("get_status")).retcode, 0);
  });
});

Deno.test("dropSockets() cuts without a close frame", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    simulator.dropSockets();
    deepStrictEqual(await client.closed, [1006, ""]);
    await until(() => simulator.sockets === 0);
    await using _next = await connect(simulator);
  });
});

Deno.test("a call over a socket takes the faults that sockets have, and leaves the others to HTTP", async () => {
  verifies("simulator-socket", "simulator-faults");
  await withClient(async (simulator, client) => {
    const envelope = { status: "async", retcode: 1, data: null };
    simulator.script(
      { kind: "status", status: 503 },
      { kind: "envelope", envelope, act: true },
      { kind: "body", body: "no JSON" },
      { kind: "delay", ms: 1, when: "after" },
    );
    client.socket.send(JSON.stringify({ action: "send_group_msg", params: HELLO, echo: 1 }));
    deepStrictEqual(await client.take(), envelope);
    client.socket.send(JSON.stringify({ action: "send_group_msg", params: HELLO }));
    strictEqual(await client.take(), "no JSON");
    strictEqual((await client.call("send_group_msg", HELLO)).retcode, 0);
    const response = await fetch(simulator.url);
    await response.body?.cancel();
    strictEqual(response.status, 503);
    const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001 });
    strictEqual(messages.filter(({ raw_message }: { raw_message: string }) => raw_message === "hello").length, 2);
  });
});

Deno.test("cut ends the socket before or after the action, or after whole frames", async () => {
  verifies("simulator-socket", "simulator-faults");
  for (const [when, sent] of [["before", 0], ["after", 1]] as const) {
    await withClient(async (simulator, client) => {
      simulator.script({ kind: "cut", when });
      client.socket.send(JSON.stringify({ action: "send_group_msg", params: HELLO }));
      deepStrictEqual(await client.closed, [1006, ""]);
      deepStrictEqual(client.frames, []);
      const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001 });
      strictEqual(messages.length, 6 + sent);
    });
  }
  await withClient(async (simulator, client) => {
    simulator.script({ kind: "cut", when: "midbody", afterFrames: 3 });
    client.socket.send(JSON.stringify({ action: "test_download_stream", echo: 1 }));
    strictEqual((await client.closed)[0], 1006);
    strictEqual(client.frames.length, 3);
  });
});

Deno.test("a stalled call ends with its socket, and close() waits for none", async () => {
  verifies("simulator-socket", "simulator-faults");
  const simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  simulator.script({ kind: "delay", ms: Infinity, times: 2 });
  client.socket.send(JSON.stringify({ action: "get_status" }));
  await until(() => simulator.requests.some(({ method }) => method === "WS"));
  await simulator.close();
  strictEqual((await client.closed)[0], 1012);
});
