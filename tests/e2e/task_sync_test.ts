/** In which order the system is asked for things: a record is durable before anything follows from it. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { TextLineStream } from "@std/streams";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand } from "../support/server_process.ts";
import { GENERIC } from "./stream_support.ts";
import { envelope } from "./support.ts";
import { makeTaskFolders, START, taskOptions, TASKS } from "./task_support.ts";
import { eventually } from "./transfer_support.ts";

const WATCHED = "write,fsync,fdatasync,rename,renameat,renameat2,connect";
/** What a record takes to be durable. */
const DURABLE = ["write file", "sync file", "rename", "sync folder"];

async function canTrace(): Promise<boolean> {
  try {
    return (await new Deno.Command("strace", { args: ["-qq", "-o", "/dev/null", "true"] }).output()).success;
  } catch {
    return false; // there is none
  }
}

/** The steps that matter, in order: of what makes durable its end, of what follows from that its beginning. */
function stepsOf(trace: string, folder: string, port: number): string[] {
  const steps: string[] = [];
  const unfinished = new Map<string, string>();
  for (const [, thread = "", line = ""] of trace.matchAll(/^(\d+) +(.*)$/gm)) {
    const call = line.startsWith("<... ") ? unfinished.get(thread) ?? "" : line;
    const begins = !line.startsWith("<... ");
    const ends = !line.endsWith("<unfinished ...>");
    if (!ends) unfinished.set(thread, line);
    const inFolder = call.includes(`${folder}/.`) && call.includes(".tmp");
    if (begins && call.startsWith("write(1<") && call.includes("taskId")) {
      steps.push(call.includes("completed") ? "tell the end" : call.includes('\\"task\\"') ? "handle" : "tell");
    } else if (begins && call.startsWith("connect(") && call.includes(`htons(${port})`)) steps.push("connect");
    else if (!ends) continue;
    else if (call.startsWith("write(") && inFolder && call.includes("taskId")) steps.push("write file");
    else if (/^f(data)?sync\(/.test(call) && inFolder) steps.push("sync file");
    else if (/^rename(at2?)?\(/.test(call) && inFolder) steps.push("rename");
    else if (/^f(data)?sync\(/.test(call) && call.includes(`<${folder}>`)) steps.push("sync folder");
  }
  return steps.slice(steps.indexOf("write file")).filter((step) => step !== "tell");
}

Deno.test({
  name: "a record is written, synced, renamed and its folder synced before the handle is told and the bot is called",
  ignore: Deno.build.os !== "linux" || !await canTrace(),
  fn: async () => {
    verifies("tasks-first", "tasks-atomic", "tasks-get");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    const { command, args, env } = serverCommand(taskOptions(bot, folders));
    const output = join(folders.top, "trace");
    const traced = ["-f", "-qq", "-y", "-s", "400", "-o", output, "-e", `trace=${WATCHED}`, command, ...args];
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    const child = new Deno.Command("strace", { args: traced, env, clearEnv: true, ...pipes }).spawn();
    const input = child.stdin.getWriter();
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
    const ask = async (method: string, params: Message): Promise<Message> => {
      const _meta = envelope({ clientCapabilities: TASKS });
      const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
      await input.write(new TextEncoder().encode(`${line}\n`));
      return JSON.parse((await lines.read()).value ?? "{}").result;
    };
    try {
      const { taskId } = await ask("tools/call", { name: START, arguments: GENERIC });
      await eventually(async () => (await ask("tasks/get", { taskId })).status === "completed" || undefined);
    } finally {
      await input.close();
      strictEqual((await child.status).code, 0);
      await lines.cancel();
    }
    const steps = stepsOf(await Deno.readTextFile(output), folders.tasks, bot.port);
    deepStrictEqual(steps.slice(0, 4), DURABLE);
    deepStrictEqual(steps.slice(4, 6).sort(), ["connect", "handle"]);
    deepStrictEqual(steps.slice(-5), [...DURABLE, "tell the end"]);
    ok(steps.slice(6, -5).every((step) => DURABLE.includes(step)), steps.join());
  },
});
