/** The simulator as its users hold it: start, requests, received messages, close. */
import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { MAX_CONCURRENT_REQUESTS, MAX_RECORDED_REQUESTS, startSimulator } from "../../../lib/simulator/mod.ts";
import { MAX_RECORDED_BYTES, Recorder } from "../../../lib/simulator/recorder.ts";
import { data, send } from "./support.ts";

Deno.test("startSimulator() listens where its url says, and frees the port when closed", async () => {
  const first = await startSimulator();
  strictEqual(first.url, `http://127.0.0.1:${first.port}/`);
  await rejects(startSimulator({ port: first.port }));
  await first.close();
  await first.close();
  await rejects(fetch(first.url), TypeError);
  await using again = await startSimulator({ port: first.port });
  strictEqual(again.port, first.port);
});

Deno.test("startSimulator() takes a prefix with or without slashes", async () => {
  for (const path of ["bot/v11", "/bot/v11", "/bot/v11/"]) {
    await using simulator = await startSimulator({ path });
    strictEqual(simulator.url, `http://127.0.0.1:${simulator.port}/bot/v11/`);
    strictEqual((await data(simulator, "get_status")).online, true);
  }
});

Deno.test("requests hold what arrived", async () => {
  await using simulator = await startSimulator({ token: "t" });
  const before = performance.now();
  const headers = { authorization: "Bearer t", "content-type": "application/json", "x-trace": "1" };
  const body = JSON.stringify({ user_id: "11001" });
  await (await fetch(`${simulator.url}get_stranger_info?a=b`, { method: "POST", headers, body })).body?.cancel();
  await (await fetch(`${simulator.url}get_status`)).body?.cancel();
  const [first, second] = simulator.requests;
  ok(first !== undefined && second !== undefined);
  deepStrictEqual(
    [first.method, first.path, first.action, first.params, first.bodyBytes],
    ["POST", "/get_stranger_info?a=b", "get_stranger_info", { user_id: "11001" }, body.length],
  );
  deepStrictEqual([first.headers["x-trace"], first.headers.authorization], ["1", "Bearer t"]);
  ok(first.at >= before && first.at <= performance.now());
  // Turned away: who it was for is not known.
  deepStrictEqual([second.action, second.params], [null, {}]);
});

Deno.test("Recorder keeps the newest requests within its bounds", () => {
  const recorder = new Recorder();
  const add = (bodyBytes: number, action: string): void =>
    recorder.add({ method: "GET", path: "/", action, params: {}, headers: {}, bodyBytes, at: 0 });
  for (let index = 0; index <= MAX_RECORDED_REQUESTS; index += 1) add(0, String(index));
  strictEqual(recorder.requests.length, MAX_RECORDED_REQUESTS);
  strictEqual(recorder.requests[0]?.action, "1");
  add(MAX_RECORDED_BYTES, "large");
  strictEqual(recorder.requests.length, MAX_RECORDED_REQUESTS);
  add(1, "last");
  deepStrictEqual(recorder.requests.map((request) => request.action), ["last"]);
  for (let index = 0; index < 5; index += 1) add(1, "more");
  strictEqual(recorder.requests.length, 6);
});

Deno.test("receive() lets a member or a friend write", async () => {
  await using simulator = await startSimulator();
  const message_id = simulator.receive({ group_id: 20001, user_id: 12001, message: "hello [CQ:at,qq=10001]" });
  const message = await data(simulator, "get_msg", { message_id });
  deepStrictEqual([message.user_id, message.sender.nickname, message.group_id], [12001, "Linus", 20001]);
  const inPrivate = await data(simulator, "get_msg", {
    message_id: simulator.receive({ user_id: 11001, message: [{ type: "text", data: { text: "x" } }] }),
  });
  deepStrictEqual([inPrivate.message_type, inPrivate.user_id, "target_id" in inPrivate], ["private", 11001, false]);
  throws(() => simulator.receive({ group_id: 20001, user_id: 12003, message: "x" }));
  throws(() => simulator.receive({ group_id: 99, user_id: 12003, message: "x" }));
  throws(() => simulator.receive({ user_id: 12001, message: "x" }));
  throws(() => simulator.receive({ user_id: 11001, message: "" }));
});

Deno.test("receive() puts a file of somebody else into the group", async () => {
  await using simulator = await startSimulator();
  simulator.receive({ group_id: 20001, user_id: 12001, message: { type: "file", data: { file: "/a.txt" } } });
  const { files } = await data(simulator, "get_group_root_files", { group_id: 20001 });
  deepStrictEqual([files[1].file_name, files[1].uploader, files[1].uploader_name], ["a.txt", 12001, "Linus"]);
});

Deno.test("two simulators share nothing", async () => {
  await using one = await startSimulator();
  await using two = await startSimulator();
  await data(one, "set_group_name", { group_id: 20001, group_name: "One" });
  strictEqual((await data(two, "get_group_info", { group_id: 20001 })).group_name, "SnowLuma Playground");
});

Deno.test("the start state is the same each time", async () => {
  const now = (): number => 1_800_000_000_000;
  const read = async (): Promise<unknown[]> => {
    await using simulator = await startSimulator({ now });
    const actions = ["get_group_list", "get_friend_list", "get_group_system_msg", "get_qzone_feeds"];
    const answers: unknown[] = [];
    for (const action of actions) answers.push(await data(simulator, action));
    for (const group_id of [20001, 20002, 20003]) {
      answers.push(await data(simulator, "get_group_msg_history", { group_id }));
      answers.push(await data(simulator, "get_group_member_list", { group_id }));
    }
    answers.push(await data(simulator, "upload_group_file", { group_id: 20001, file: "/a" }));
    return answers;
  };
  deepStrictEqual(await read(), await read());
});

Deno.test("requests beyond the bound are turned away with 503", async () => {
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: Infinity, times: MAX_CONCURRENT_REQUESTS });
  const stop = new AbortController();
  const stalled = Array.from(
    { length: MAX_CONCURRENT_REQUESTS },
    () => rejects(send(simulator, "get_status", {}, { signal: stop.signal })),
  );
  while (simulator.requests.length < MAX_CONCURRENT_REQUESTS) await new Promise((resolve) => setTimeout(resolve, 10));
  const response = await send(simulator, "get_status");
  deepStrictEqual([response.status, (await response.json()).retcode], [503, 1200]);
  stop.abort();
  await Promise.all(stalled);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const next = await send(simulator, "get_status");
    await next.body?.cancel();
    if (next.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the bound does not lift when clients leave");
});
