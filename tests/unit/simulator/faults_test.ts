/** Scripted faults, proved from the client's side. */
import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { type Fault, type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import { call, data, frames, freshConnections, send } from "./support.ts";
import { verifies } from "../../requirements.ts";

const HELLO = { group_id: 20003, message: "hello" };

/** Messages in the group that the tests write to; two are there at the start. */
async function written(simulator: Simulator): Promise<number> {
  return (await data(simulator, "get_group_msg_history", { group_id: 20003 })).messages.length - 2;
}

/** Milliseconds until `work` is through. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function soon(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("delay before: the action waits, then answers", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: 400, action: "send_group_msg" });
  const pending = call(simulator, "send_group_msg", HELLO);
  await soon(30);
  strictEqual(await written(simulator), 0);
  strictEqual((await pending).retcode, 0);
  strictEqual(await written(simulator), 1);
});

Deno.test("delay after: the action takes effect and its answer stalls", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: 400, when: "after", action: "send_group_msg" });
  const start = performance.now();
  const pending = call(simulator, "send_group_msg", HELLO);
  await soon(30);
  strictEqual(await written(simulator), 1);
  strictEqual((await pending).retcode, 0);
  ok(performance.now() - start >= 395);
});

Deno.test("delay before: a client that leaves stops it, and nothing happens", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: 400, action: "send_group_msg" });
  await rejects(send(simulator, "send_group_msg", HELLO, { signal: AbortSignal.timeout(50) }));
  await soon(450);
  strictEqual(await written(simulator), 0);
});

Deno.test("delay: closing the simulator ends the wait", async () => {
  verifies("simulator-faults");
  const simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: Infinity, times: 2 }, { kind: "delay", ms: Infinity, when: "after" });
  const pending = ["get_status", "get_status", "test_download_stream"].map((action) =>
    rejects(send(simulator, action))
  );
  await soon(30);
  const took = await timed(() => simulator.close());
  await Promise.all(pending);
  ok(took < 1000, `closing took ${took} ms`);
});

Deno.test("cut before: no answer and no effect", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  using client = freshConnections();
  simulator.script({ kind: "cut", when: "before", action: "send_group_msg" });
  await rejects(send(simulator, "send_group_msg", HELLO, { client }), TypeError);
  strictEqual(await written(simulator), 0);
});

Deno.test("cut after: no answer, but the effect", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  using client = freshConnections();
  simulator.script({ kind: "cut", when: "after", action: "send_group_msg" });
  await rejects(send(simulator, "send_group_msg", HELLO, { client }), TypeError);
  strictEqual(await written(simulator), 1);
});

Deno.test("cut midbody: half of the answer, and the effect", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  using client = freshConnections();
  const whole = (await (await send(simulator, "send_group_msg", HELLO)).text()).length;
  simulator.script({ kind: "cut", when: "midbody", action: "send_group_msg" });
  const response = await send(simulator, "send_group_msg", HELLO, { client });
  strictEqual(response.status, 200);
  let received = 0;
  await rejects(async () => {
    for await (const chunk of response.body ?? []) received += chunk.byteLength;
  });
  ok(received > 0 && received < whole, `${received} of ${whole} bytes`);
  strictEqual(await written(simulator), 2);
});

Deno.test("cut midbody: a stream breaks after the frames it is told", async (t) => {
  verifies("simulator-faults");
  const cases: [name: string, action: string, params: unknown, afterFrames: number | undefined, whole: number][] = [
    ["after one frame", "test_download_stream", {}, undefined, 1],
    ["after three frames", "test_download_stream", {}, 3, 3],
    ["in the first frame", "test_download_stream", {}, 0, 0],
    ["in the last frame at the latest", "test_download_stream", {}, 50, 10],
    ["in the only frame", "upload_file_stream", { stream_id: "s", total_chunks: 1 }, undefined, 0],
  ];
  for (const [name, action, params, afterFrames, whole] of cases) {
    await t.step(name, async () => {
      await using simulator = await startSimulator();
      using client = freshConnections();
      simulator.script({ kind: "cut", when: "midbody", ...(afterFrames === undefined ? {} : { afterFrames }) });
      const response = await send(simulator, action, params, { client });
      let text = "";
      await rejects(async () => {
        const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
        for await (const chunk of reader) text += chunk;
      });
      const parts = text.split("\r\n\r\n");
      strictEqual(parts.length - 1, whole);
      ok(parts.at(-1) !== "", "half a frame is there");
      throws(() => JSON.parse(parts.at(-1) ?? ""));
    });
  }
});

Deno.test("status: any status, body and headers, without effect", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  const html = { "content-type": "text/html" };
  simulator.script(
    { kind: "status", status: 500, body: "<h1>no</h1>", headers: html, action: "send_group_msg" },
    { kind: "status", status: 302, headers: { location: "http://127.0.0.1:1/" }, action: "send_group_msg" },
    { kind: "status", status: 401, action: "send_group_msg" },
  );
  const first = await send(simulator, "send_group_msg", HELLO);
  deepStrictEqual([first.status, first.headers.get("content-type"), await first.text()], [
    500,
    "text/html",
    "<h1>no</h1>",
  ]);
  const second = await send(simulator, "send_group_msg", HELLO, { redirect: "manual" });
  deepStrictEqual([second.status, second.headers.get("location"), await second.text()], [
    302,
    "http://127.0.0.1:1/",
    "",
  ]);
  const third = await send(simulator, "send_group_msg", HELLO);
  deepStrictEqual([third.status, await third.text()], [401, ""]);
  strictEqual(await written(simulator), 0);
});

Deno.test("body: exactly these bytes with status 200, with or without effect", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  const action = "send_group_msg";
  const binary = new Uint8Array([0, 255, 10]);
  const bodies: Fault[] = [
    { kind: "body", body: "", action },
    { kind: "body", body: '{"status":"ok"', action },
    { kind: "body", body: "null", action },
    { kind: "body", body: "<html>", contentType: "text/html", action },
    { kind: "body", body: binary, action, act: true },
  ];
  simulator.script(...bodies);
  for (const fault of bodies) {
    if (fault.kind !== "body") continue;
    const response = await send(simulator, action, HELLO);
    strictEqual(response.status, 200);
    strictEqual(response.headers.get("content-type"), fault.contentType ?? "application/json; charset=utf-8");
    const expected = typeof fault.body === "string" ? new TextEncoder().encode(fault.body) : fault.body;
    deepStrictEqual(new Uint8Array(await response.arrayBuffer()), expected);
  }
  strictEqual(await written(simulator), 1);
});

Deno.test("huge: a valid envelope of the size asked for, never whole in memory", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "huge", bytes: 200_000 }, { kind: "huge", bytes: 600_000_000 });
  const text = await (await send(simulator, "get_status")).text();
  strictEqual(text.length, 200_000);
  strictEqual(JSON.parse(text).status, "ok");
  const before = Deno.memoryUsage().rss;
  let received = 0;
  for await (const chunk of (await send(simulator, "get_status")).body ?? []) received += chunk.byteLength;
  strictEqual(received, 600_000_000);
  ok(Deno.memoryUsage().rss - before < 300_000_000, "memory stays flat");
});

Deno.test("huge: a client that stops reading stops it", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "huge", bytes: 1e12 });
  const response = await send(simulator, "get_status");
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  ok(await timed(() => simulator.close()) < 1000);
});

Deno.test("drip: the true answer, slowly", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "drip", chunkBytes: 20, everyMs: 10 });
  const start = performance.now();
  const response = await send(simulator, "send_group_msg", HELLO);
  strictEqual(await written(simulator), 1, "it acts before the first piece");
  let pieces = 0;
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    pieces += 1;
    text += piece;
  }
  strictEqual(JSON.parse(text).retcode, 0);
  ok(pieces >= 3, `${pieces} pieces`);
  ok(performance.now() - start >= 10 * (Math.ceil(text.length / 20) - 1) - 5);
});

Deno.test("drip: frames of a stream arrive whole in the end", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  simulator.script({ kind: "drip", chunkBytes: 700, everyMs: 1 });
  strictEqual((await frames(simulator, "test_download_stream")).length, 11);
});

Deno.test("envelope: this envelope and nothing added", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  const envelope = { status: "async", retcode: 1, data: null };
  simulator.script(
    { kind: "envelope", envelope, action: "send_group_msg" },
    { kind: "envelope", envelope, action: "send_group_msg", act: true },
  );
  deepStrictEqual(await call(simulator, "send_group_msg", { ...HELLO, echo: 1 }), envelope);
  strictEqual(await written(simulator), 0);
  deepStrictEqual(await call(simulator, "send_group_msg", HELLO), envelope);
  strictEqual(await written(simulator), 1);
});

Deno.test("script() plays rules in order, for their action, as often as they say", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  const mark = (retcode: number): { kind: "envelope"; envelope: Record<string, unknown> } => ({
    kind: "envelope",
    envelope: { retcode },
  });
  simulator.script({ ...mark(1), action: "get_rkey" }, { ...mark(2), times: 2 }, { ...mark(3), times: Infinity });
  const asked: number[] = [];
  // An alias counts as its action.
  for (const action of ["get_status", "nc_get_rkey", "get_rkey", "get_status", "no_such_action", "get_rkey"]) {
    asked.push((await call(simulator, action)).retcode);
  }
  deepStrictEqual(asked, [2, 1, 2, 3, 3, 3]);
  simulator.clearFaults();
  strictEqual((await call(simulator, "get_status")).retcode, 0);
});

Deno.test("script() matches a ping too, but no request turned away at the door", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator({ token: "t" });
  simulator.script({ kind: "status", status: 503 });
  const denied = await fetch(simulator.url);
  strictEqual(denied.status, 401);
  await denied.body?.cancel();
  const ping = await fetch(simulator.url, { headers: { authorization: "Bearer t" } });
  strictEqual(ping.status, 503);
  await ping.body?.cancel();
});

Deno.test("script() refuses numbers out of bounds and adds nothing", async () => {
  verifies("simulator-faults");
  await using simulator = await startSimulator();
  const bad: Fault[] = [
    { kind: "delay", ms: -1 },
    { kind: "delay", ms: NaN },
    { kind: "status", status: 99 },
    { kind: "status", status: 600 },
    { kind: "drip", chunkBytes: 0, everyMs: 1 },
    { kind: "huge", bytes: -1 },
    { kind: "cut", when: "before", times: 0 },
  ];
  for (const fault of bad) throws(() => simulator.script({ kind: "status", status: 500 }, fault), RangeError);
  strictEqual((await call(simulator, "get_status")).retcode, 0);
});
