/** Standard output carries protocol lines and nothing else, whatever happens. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { NEEDS_SOURCE } from "../support/binary.ts";
import { type Message, serverCommand, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { deadEndpoint, envelope, modernRequest } from "./support.ts";

const READ = { action: "get_status" };
const SEND = { action: "send_group_msg", params: { group_id: 20001, message: "x" } };

function checkLines(lines: readonly string[]): void {
  for (const line of lines) {
    const { jsonrpc, ...message } = JSON.parse(line) as Message;
    strictEqual(jsonrpc, "2.0", line.slice(0, 200));
    ok("result" in message || "error" in message || "method" in message, line.slice(0, 200));
  }
}

async function session(options: ServerOptions, modern: boolean): Promise<ServerProcess> {
  const server = new ServerProcess(options);
  if (!modern) await server.initialize();
  const call = (id: number, name: string, args: Message): Promise<Message> =>
    server.request(id, "tools/call", { name, arguments: args, ...(modern && { _meta: envelope() }) });
  await server.send("{oops\n[]\nnull\n");
  await call(1, "query_action", READ);
  await call(2, "invoke_action", SEND);
  await call(3, "list_actions", { x: 1 });
  await call(4, "get_runtime_info", { check_connection: true });
  await call(5, "no_such", {});
  await (modern ? modernRequest(server, 6, "no/such") : server.request(6, "no/such"));
  await server.closeInput();
  return server;
}

for (const log of ["text", "json"]) {
  for (const modern of [true, false]) {
    Deno.test(`every line on stdout is JSON-RPC, with log ${log} in the ${modern ? "newer" : "older"} generation`, async () => {
      verifies("stdout-protocol");
      await using bot = await startSimulator({ token: "secret-token-1" });
      bot.script({ kind: "cut", when: "before" }, { kind: "body", body: "<html>" }, { kind: "status", status: 500 });
      const env = { SNOWLUMA_MCP_LOG: log, SNOWLUMA_MCP_TOKEN: "secret-token-1" };
      const setups: ServerOptions[] = [
        { env },
        { env, args: ["--endpoint", bot.url, "--mode", "write"] },
        { env, args: ["--endpoint", deadEndpoint(), "--mode", "write"] },
        { env: { ...env, SNOWLUMA_MCP_TOKEN: "wrong-token-22" }, args: ["--endpoint", bot.url, "--mode", "write"] },
        { env, args: ["--endpoint", "simulator", "--mode", "write"] },
      ];
      for (const options of setups) {
        await using server = await session(options, modern);
        strictEqual((await server.exit()).code, 0);
        checkLines(server.lines);
        ok(server.lines.length >= 9, `${server.lines.length} lines`);
        if (log === "json") {
          for (const line of (await server.stderr).split("\n").filter((text) => text !== "")) {
            const { time, level, message } = JSON.parse(line);
            ok(!Number.isNaN(Date.parse(time)) && ["info", "warn", "error"].includes(level) && message !== "", line);
          }
        }
      }
    });
  }
}

Deno.test("a server that cannot start leaves stdout empty", async () => {
  verifies("stdout-protocol", "config-invalid");
  for (const args of [["--mode", "x"], ["--nonsense"], ["nonsense"], ["--config", "/nowhere"], ["--endpoint", "x"]]) {
    await using server = new ServerProcess({ args });
    strictEqual((await server.exit()).code, 2);
    strictEqual(server.lines.length, 0);
  }
});

// nothing can be loaded into the binary from outside
Deno.test({ name: "libraries that print are sent to stderr while serving", ...NEEDS_SOURCE }, async () => {
  verifies("stdout-protocol");
  const preload = await Deno.makeTempFile({ prefix: "snowluma-noise-", suffix: ".ts" });
  try {
    // stands for a library that prints now and then: whenever a line is read
    await Deno.writeTextFile(
      preload,
      "const parse = JSON.parse;" +
        "JSON.parse = (...args) => { for (const way of ['log', 'info', 'debug']) console[way]('noise'); return parse(...args); };",
    );
    await using server = new ServerProcess({ grants: [`--preload=${preload}`, "--allow-env=SNOWLUMA_MCP_*"] });
    await server.initialize();
    for (let id = 0; id < 20; id++) await server.call(id, "list_actions");
    await server.closeInput();
    strictEqual((await server.exit()).code, 0);
    checkLines(server.lines);
    strictEqual(server.lines.length, 21);
    ok((await server.stderr).includes("noise"), "the noise was made");
  } finally {
    await Deno.remove(preload);
  }
});

Deno.test({
  name: "a session from a file into a file is answered whole",
  ignore: Deno.build.os === "windows",
  async fn() {
    verifies("stdout-protocol", "shutdown");
    const folder = await Deno.makeTempDir({ prefix: "snowluma-files-" });
    try {
      const ids = Array.from({ length: 50 }, (_, id) => id);
      const params = { uri: "snowluma://onebot/actions", _meta: envelope() };
      const lines = ids.map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params }));
      await Deno.writeTextFile(`${folder}/in`, `${lines.join("\n")}\n`);
      const { command, args, env } = serverCommand();
      const { code } = await new Deno.Command("sh", {
        args: ["-c", 'exec "$@" < "$IN" > "$OUT"', "sh", command, ...args],
        env: { ...env, IN: `${folder}/in`, OUT: `${folder}/out` },
        clearEnv: true,
      }).output();
      strictEqual(code, 0);
      const answers = (await Deno.readTextFile(`${folder}/out`)).trimEnd().split("\n");
      checkLines(answers);
      deepStrictEqual(answers.map((line) => JSON.parse(line).id).sort((a, b) => a - b), ids);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
