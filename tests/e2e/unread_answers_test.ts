/** A client that asks for much in one write and reads nothing: what waits for it stays bounded, and comes in the end. */
import { TextLineStream } from "@std/streams";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { memoryOf } from "../bench/memory.ts";
import { verifies } from "../requirements.ts";
import { serverCommand } from "../support/server_process.ts";

const COUNT = 600;
/** The whole catalog: some 300,000 characters an answer. */
const READ = { method: "resources/read", params: { uri: "snowluma://onebot/actions" } };
/** Far less than the answers have together, which is over 150 MiB. */
const MOST_MIB = 100;

Deno.test({
  name: `${COUNT} large answers that nobody reads do not fill memory, and none is lost`,
  ignore: Deno.build.os !== "linux",
  async fn() {
    verifies("bounded", "burst");
    const { command, args, env } = serverCommand({ env: { SNOWLUMA_MCP_LANG: "zh" } }); // two bytes a character
    const child = new Deno.Command(command, {
      args,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    const input = child.stdin.getWriter();
    const output = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
    const send = (messages: object[]): Promise<void> =>
      input.write(new TextEncoder().encode(messages.map((message) => `${JSON.stringify(message)}\n`).join("")));
    const clientInfo = { name: "raw", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await send([{ jsonrpc: "2.0", id: "init", method: "initialize", params }]);
    await output.read();
    await send([{ jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: "first", ...READ }]);
    ok(((await output.read()).value?.length ?? 0) > 100_000);

    const { peak } = await memoryOf(child.pid);
    const ids = Array.from({ length: COUNT }, (_, id) => id);
    const written = send(ids.map((id) => ({ jsonrpc: "2.0", id, ...READ })));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const growth = (await memoryOf(child.pid)).peak - peak;

    const answers: number[] = [];
    while (answers.length < COUNT) {
      const { value } = await output.read();
      ok(value !== undefined);
      answers.push(JSON.parse(value).id);
    }
    await written;
    await input.close();
    strictEqual((await output.read()).done, true);
    strictEqual((await child.status).code, 0);
    clearTimeout(timer);
    deepStrictEqual(answers.toSorted((a, b) => a - b), ids);
    ok(growth < MOST_MIB, `it grew by ${growth} MiB`);
  },
});
