/** The server in another program: both official clients over memory, with the program's own parts. */
import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import {
  createServer,
  EventHub,
  Executor,
  type JsonRpcMessage,
  loadActions,
  openEventSocket,
  Redactor,
  TaskFolder,
  UsageError,
} from "@snowluma-deno/mcp";
import { startSimulator } from "@snowluma-deno/mcp/simulator";
import { verifies } from "../requirements.ts";
import {
  CLIENTS,
  configOf,
  type Embedder,
  keepLog,
  legacy,
  modern,
  OwnTransport,
  tempFolder,
} from "./library_support.ts";

const SEND = { action: "send_group_msg", params: { group_id: 20001, message: "Hello" } };

Deno.test("createServer() serves the documentation to both clients in memory", async () => {
  verifies("library-embeds", "library");
  for (const connect of CLIENTS) {
    await using server = createServer(configOf());
    await using client = await connect(server);
    ok((await client.tools()).includes("search_actions"), client.era);
    const { result } = await client.call("search_actions", { query: "mute member", match: "keywords" });
    match(JSON.stringify(result), /set_group_ban/, client.era);
    deepStrictEqual(await client.resources(), ["snowluma://onebot/actions"], client.era);
    strictEqual((await client.call("invoke_action", SEND)).diagnostics.kind, "mode", client.era);
  }
});

Deno.test("createServer() calls the configured bot as far as its mode goes, and logs without secrets", async () => {
  verifies("library-embeds");
  const token = "a-token-that-nobody-may-see";
  for (const connect of CLIENTS) {
    await using bot = await startSimulator({ token });
    await using folder = await tempFolder();
    for (const mode of ["read", "write"]) {
      const { log, lines } = keepLog();
      await using server = createServer(configOf({ endpoint: bot.url, token, mode }, folder.path), { log });
      await using client = await connect(server);
      const read = await client.call("query_action", { action: "get_group_list" });
      strictEqual(read.diagnostics.outcome, "success", read.text);
      const sent = await client.call("invoke_action", SEND);
      strictEqual(sent.diagnostics.outcome, mode === "write" ? "success" : "failed", sent.text);
      await server.close();
      ok(lines.some((line) => line.includes('"tool":"query_action"')), lines.join("\n"));
      ok(!lines.join("\n").includes(token));
    }
    strictEqual(bot.requests.filter(({ action }) => action === "send_group_msg").length, 1);
  }
});

Deno.test("createServer() takes secrets out of what it logs, whoever put them there", async () => {
  verifies("library-embeds");
  const token = "a-token-that-nobody-may-see";
  const { log, lines } = keepLog();
  const config = { ...configOf({ endpoint: "http://127.0.0.1:9/", token }), notices: [`The token is ${token}`] };
  await using server = createServer(config, { log });
  await server.connect(new OwnTransport());
  deepStrictEqual(lines, ["warn The token is [redacted] undefined"]);
});

Deno.test("createServer() runs calls in the executor that it is given, behind that one's own permissions", async () => {
  verifies("library-embeds");
  const bodies: string[] = [];
  const executor = new Executor({
    actions: await loadActions(),
    permissions: { mode: "read", allow: new Set() },
    redactor: new Redactor([]),
    timeoutMs: 1000,
    post: (json) => {
      bodies.push(new TextDecoder().decode(json));
      return Promise.resolve({ status: 200, text: '{"status":"ok","retcode":0,"data":{"n":12345678901234567890}}' });
    },
  });
  await using folder = await tempFolder();
  for (const connect of CLIENTS) {
    await using server = createServer(configOf({ endpoint: "http://bot.invalid/", mode: "write" }, folder.path), {
      executor,
    });
    await using client = await connect(server);
    const { result, text } = await client.call("query_action", { action: "get_status" });
    match(JSON.stringify(result), /"n":12345678901234567890\b/, `${client.era}: the digits are there`);
    match(text, /"n":12345678901234567890\b/);
    strictEqual((await client.call("invoke_action", SEND)).diagnostics.kind, "mode", client.era);
  }
  strictEqual(bodies.length, 2);
});

Deno.test("createServer() shows each client its own events of a hub that others use too, and releases those alone", async () => {
  verifies("library-embeds");
  for (const connect of CLIENTS) {
    await using bot = await startSimulator({ wsPort: 0 });
    const address = { url: bot.wsUrl ?? "", connectTimeoutMs: 5000 };
    const hub = new EventHub({
      connect: (handlers, signal) => openEventSocket(address, handlers, signal),
      redactor: new Redactor([]),
    });
    const told: string[] = [];
    hub.onUpdated = (uri) => Promise.resolve(void told.push(uri));
    const mine = await hub.subscribe({ selfId: 10001, filter: {} }, AbortSignal.timeout(5000));

    const config = configOf({ endpoint: bot.url, events_url: address.url });
    await using first = createServer(config, { events: hub });
    await using second = createServer(config, { events: hub });
    await using one = await connect(first);
    await using other = await connect(second);
    const { result, text } = await one.call("subscribe_events", { self_id: 10001 });
    const { uri } = result as { uri?: string };
    ok(uri !== undefined, text);
    const updated = Promise.withResolvers<string>();
    await one.watch(uri, updated.resolve);
    bot.receive({ group_id: 20001, user_id: 12001, message: "Good morning" });
    strictEqual(await updated.promise, uri, one.era);
    match(await one.read(uri), /Good morning/);
    const read = await one.call("read_events", { uri, wait_ms: 5000 });
    match(JSON.stringify(read.result), /Good morning/);
    deepStrictEqual((await one.resources()).filter((address) => hub.has(address)), [uri], "only what it made");

    for (const strange of [uri, mine.uri]) {
      for (const tool of ["read_events", "unsubscribe_events"]) {
        const who: Embedder = strange === uri ? other : one;
        strictEqual((await who.call(tool, { uri: strange })).diagnostics.kind, "invalid_arguments", tool);
      }
    }
    deepStrictEqual((await other.resources()).filter((address) => hub.has(address)), []);
    await first.close();
    deepStrictEqual(hub.uris(), [mine.uri], "what its client had is released, and nothing else");
    match(JSON.stringify(hub.read(mine.uri).events), /Good morning/);
    ok(told.includes(mine.uri), "who listened before is told as before");
    await second.close();
    hub.close();
  }
});

Deno.test("createServer() listens to a hub once, however many servers come and go", async () => {
  verifies("library-embeds");
  const hub = new EventHub({ connect: () => Promise.reject(new Error("unused")), redactor: new Redactor([]) });
  const told: string[] = [];
  hub.onUpdated = (uri) => Promise.resolve(void told.push(uri));
  const config = configOf({ endpoint: "http://bot.invalid/", events_url: "ws://bot.invalid/" });
  const serve = async () => {
    const server = createServer(config, { events: hub });
    await server.connect(new OwnTransport());
    return server;
  };
  let last = await serve();
  const { onUpdated: listening } = hub;
  for (let i = 0; i < 3; i++) { // one is always there
    const next = await serve();
    await last.close();
    last = next;
  }
  await last.close();
  strictEqual(hub.onUpdated, listening);
  await hub.onUpdated?.("some uri");
  deepStrictEqual(told, ["some uri"]);
});

Deno.test("createServer() shares a task folder that it is given, and opens no other", async () => {
  verifies("library-embeds");
  await using folder = await tempFolder();
  const config = configOf(
    { endpoint: "http://127.0.0.1:9/", mode: "write", task_dir: `${folder.path}/tasks` },
    folder.path,
  );
  {
    await using tasks = await TaskFolder.open(config);
    await using first = createServer(config, { tasks });
    await using second = createServer(config, { tasks });
    await using third = createServer(config);
    for (const server of [first, second]) {
      await using client = await modern(server);
      strictEqual((await client.call("list_tasks")).diagnostics.outcome, "success");
    }
    await using client = await modern(third);
    strictEqual((await client.call("list_tasks")).diagnostics.kind, "busy");
  }
  await using again = await TaskFolder.open(config); // it was given back
  ok(again instanceof TaskFolder);
});

Deno.test("createServer() makes servers that share nothing, whatever a client does to what it got", async () => {
  verifies("library-embeds");
  await using english = createServer(configOf());
  await using chinese = createServer(configOf({ lang: "zh" }));
  await using one = await modern(english);
  await using other = await legacy(chinese);
  const page = async (client: typeof one) => (await client.call("get_action", { name: "set_group_ban" })).result;
  const told = await page(one) as { inputSchema: { properties: Record<string, unknown> } };
  const copy = JSON.stringify(told);
  for (const name of Object.keys(told.inputSchema.properties)) told.inputSchema.properties[name] = { spoilt: true };
  (told as { returnsSchema?: { type?: unknown } }).returnsSchema!.type = "spoilt";
  strictEqual(JSON.stringify(await page(one)), copy);
  ok(!JSON.stringify(await page(other)).includes("spoilt"));
  ok(/[\u4e00-\u9fff]/.test(JSON.stringify(await page(other))));
  await english.close();
  ok((await other.tools()).length > 0, "the other one goes on");
});

Deno.test("createServer() refuses on any transport what is malformed, and goes on", async () => {
  verifies("library-embeds");
  const transport = new OwnTransport();
  await using server = createServer(configOf());
  await server.connect(transport);
  const code = ({ error }: JsonRpcMessage) => (error as { code?: number } | undefined)?.code;
  const revision = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  transport.put({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: revision } });
  strictEqual(code(await transport.answer(1)), -32022);
  transport.put({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { n: 1n } });
  strictEqual(code(await transport.answer(2)), -32600);
  transport.put({ jsonrpc: "1.0", id: 3, method: "tools/list" });
  strictEqual(code(await transport.answer(3)), -32600);
  const proto = JSON.parse('{"action":"get_status","params":{"__proto__":1}}');
  transport.put({ jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "check_action", arguments: proto } });
  strictEqual(code(await transport.answer(4)), -32602);
  for (const noise of [undefined, null, 1, "x", [], { jsonrpc: "2.0", id: 9, result: 1 }]) transport.put(noise);
  for (const n of [1, 2]) transport.put({ jsonrpc: "2.0", id: "same", method: "tools/list", params: { n } });
  strictEqual(code(await transport.answer("same")), -32600, "the second one, while the first is under way");
  transport.put({ jsonrpc: "2.0", id: 5, method: "tools/list" });
  ok((await transport.answer(5)).result !== undefined);
});

Deno.test("createServer() refuses what it cannot serve, and a second connection", async () => {
  verifies("library-embeds");
  throws(() => createServer(configOf({ endpoint: "simulator" })), UsageError);
  const hub = new EventHub({ connect: () => Promise.reject(new Error("unused")), redactor: new Redactor([]) });
  throws(() => createServer(configOf({ endpoint: "http://bot.invalid/" }), { events: hub }), UsageError);
  await using folder = await tempFolder();
  const config = configOf({ endpoint: "http://bot.invalid/", mode: "write", stream_dir: `${folder.path}/file` });
  await Deno.writeTextFile(`${folder.path}/file`, "no folder");
  const unable = createServer(config);
  await rejects(unable.connect(new OwnTransport()), UsageError);
  await unable.closed;

  const broken = new OwnTransport();
  broken.start = () => Promise.reject(new Error("no line"));
  const failing = createServer(configOf());
  await rejects(failing.connect(broken), /no line/);
  await failing.closed;

  await using server = createServer(configOf());
  await server.connect(new OwnTransport());
  await rejects(server.connect(new OwnTransport()), TypeError);
  const shut = createServer(configOf());
  await shut.close();
  await rejects(shut.connect(new OwnTransport()), TypeError);
  const hasty = createServer(configOf());
  const connecting = hasty.connect(new OwnTransport());
  await hasty.close();
  await rejects(connecting, TypeError);
});
