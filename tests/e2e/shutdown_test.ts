/** The end of a session: input that ends, signals, and a client that stops reading, with calls under way. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand, ServerProcess } from "../support/server_process.ts";
import { envelope, modernRequest, SilentBot } from "./support.ts";
import { makeFolders, transferOptions } from "./transfer_support.ts";

/** What is promised. */
const PROMISED_MS = 2000;
const SIGNALS: Deno.Signal[] = ["SIGTERM", "SIGINT", "SIGHUP"];
const READ = { name: "query_action", arguments: { action: "get_status" } };
const SEND = {
  name: "invoke_action",
  arguments: { action: "send_group_msg", params: { group_id: 20001, message: "x" } },
};

interface Way {
  readonly name: string;
  readonly end: (server: ServerProcess) => Promise<void>;
}

const WAYS: Way[] = [
  { name: "end of input", end: (server) => server.closeInput() },
  ...SIGNALS.map((signal): Way => ({
    name: signal,
    end: (server) => Promise.resolve(server.kill(signal)),
  })),
];

async function endsInTime(server: ServerProcess): Promise<void> {
  const { code, signal, ms } = await server.exit();
  deepStrictEqual([code, signal], [0, null], await server.stderr);
  ok(ms < PROMISED_MS, `it took ${Math.round(ms)} ms`);
}

for (const { name, end } of WAYS) {
  Deno.test(`${name} ends an idle server with exit code 0`, async () => {
    verifies("shutdown");
    await using folders = await makeFolders();
    for (const options of [{}, transferOptions({ url: "simulator" }, folders)]) {
      await using server = new ServerProcess(options);
      await server.initialize();
      await end(server);
      await endsInTime(server);
      strictEqual(await server.stderr, "");
    }
  });

  Deno.test(`${name} ends a server within 2 s though calls wait for a bot that never answers`, async () => {
    verifies("shutdown");
    for (const modern of [true, false]) {
      await using bot = new SilentBot();
      await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
      if (!modern) await server.initialize();
      for (let id = 0; id < 40; id++) { // more than run at once, so that some wait in the queue
        const params = { ...(id % 2 ? SEND : READ), ...(modern && { _meta: envelope() }) };
        await server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
      }
      await bot.asked(32);
      await end(server);
      await endsInTime(server);
    }
  });

  Deno.test(`${name} lets answers out that were finished or finish within the grace`, async () => {
    verifies("shutdown");
    await using bot = await startSimulator();
    bot.script({ kind: "delay", ms: 300, action: "get_status", times: Infinity });
    await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
    await server.initialize();
    await server.call("warm", "query_action", { action: "get_version_info" });
    for (let id = 0; id < 5; id++) await server.send({ jsonrpc: "2.0", id, method: "tools/call", params: READ });
    await server.send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "list_actions" } });
    await server.receive(({ id }) => id === 5); // everything before it has been read
    await end(server);
    await endsInTime(server);
    const answers = server.lines.map((line): Message => JSON.parse(line));
    for (const wanted of [0, 1, 2, 3, 4, 5]) {
      const [answer, ...more] = answers.filter(({ id }) => id === wanted);
      strictEqual(answer?.result.structuredContent.diagnostics.outcome, "success", `answer ${wanted}`);
      strictEqual(more.length, 0);
    }
  });
}

Deno.test("a write under way when the session ends is not sent again, and the operator is told", async () => {
  verifies("shutdown", "never-retry");
  await using bot = await startSimulator();
  bot.script({ kind: "delay", ms: Infinity, when: "after", action: "send_group_msg" });
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await server.initialize();
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: SEND });
  await server.call(2, "query_action", { action: "get_status" });
  await server.closeInput();
  await endsInTime(server);
  deepStrictEqual(bot.requests.map(({ action }) => action).sort(), ["get_status", "send_group_msg"]);
  ok((await server.stderr).includes("send_group_msg may have taken effect"), await server.stderr);
});

Deno.test("input at its end from the start ends the server with exit code 0", async () => {
  verifies("shutdown");
  for (const args of [[], ["--endpoint", "simulator"]]) {
    await using server = new ServerProcess({ args });
    await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < 10_000, `it took ${Math.round(ms)} ms, start-up included`);
    deepStrictEqual(server.lines, []);
  }
});

Deno.test("the handshake in one write with the end of input is answered before the process ends", async () => {
  verifies("shutdown");
  await using server = new ServerProcess();
  const requests = [
    { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope() } },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_actions", _meta: envelope() } },
  ];
  await server.send(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  deepStrictEqual(server.lines.map((line) => JSON.parse(line).id).sort(), [1, 2]);
});

Deno.test("a subscription that stays open does not hold the process up", async () => {
  verifies("shutdown");
  await using server = new ServerProcess();
  await modernRequest(server, 1, "tools/list");
  const params = { _meta: envelope(), notifications: { toolsListChanged: true } };
  await server.send({ jsonrpc: "2.0", id: 2, method: "subscriptions/listen", params });
  await modernRequest(server, 3, "tools/list");
  await server.closeInput();
  await endsInTime(server);
});

Deno.test("a second signal while it settles changes nothing", async () => {
  verifies("shutdown");
  await using bot = new SilentBot();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url] });
  await server.initialize();
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: READ });
  await bot.asked(1);
  for (const signal of SIGNALS) server.kill(signal);
  await server.closeInput();
  await endsInTime(server);
});

Deno.test("a client that stops reading ends the server with exit code 0", async () => {
  verifies("shutdown");
  const { command, args, env } = serverCommand();
  const options = { args, env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const child = new Deno.Command(command, options).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await child.stdout.cancel();
  const input = child.stdin.getWriter();
  const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope() } });
  await input.write(new TextEncoder().encode(`${line}\n`)).catch(() => {});
  const { code, signal } = await child.status;
  clearTimeout(timer);
  deepStrictEqual([code, signal], [0, null]);
  await input.close().catch(() => {});
});

for (const way of ["end of input", "SIGTERM"]) {
  Deno.test(`${way} ends a server within 2 s though its client reads nothing of what waits`, async () => {
    verifies("shutdown");
    const { command, args, env } = serverCommand();
    const options = { args, env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command(command, options).spawn();
    const input = child.stdin.getWriter();
    const params = { uri: "snowluma://onebot/actions", _meta: envelope() };
    const ids = Array.from({ length: 10 }, (_, id) => id); // some 3 MB of answers, far beyond a pipe's buffer
    const lines = ids.map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params }));
    await input.write(new TextEncoder().encode(`{oops\n${lines.join("\n")}\n`));
    const output = child.stdout.getReader();
    await output.read(); // the error about the first line: all are being worked on
    const start = performance.now();
    if (way === "SIGTERM") child.kill(way);
    else await input.close();
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
    const { code, signal } = await child.status;
    clearTimeout(timer);
    deepStrictEqual([code, signal], [0, null]);
    ok(performance.now() - start < PROMISED_MS, `it took ${Math.round(performance.now() - start)} ms`);
    await input.close().catch(() => {});
    await output.cancel();
    await child.stderr.cancel();
  });
}
