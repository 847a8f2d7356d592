import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import { TextLineStream } from "@std/streams";
import { verifies } from "../../requirements.ts";
import { list, tempFolder } from "../files/support.ts";
import { between, seeded } from "../support.ts";
import { openStore } from "./support.ts";

const CHILD = fromFileUrl(new URL("./store_child.ts", import.meta.url));
const ROUNDS = 24;
/** Children at a time; each has a folder of its own. */
const LANES = 2;

Deno.test("a killed process leaves whole records: started tasks are there, completed ones keep their results", async () => {
  verifies("tasks-first", "tasks-atomic", "tasks-restart", "tasks-lease");
  let [started, completed] = [0, 0];
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    await using temp = await tempFolder();
    const told = new Map<string, string>();
    const random = seeded(lane + 1);
    for (let round = 0; round < ROUNDS / LANES; round++) {
      await churnAndKill(temp.path, between(random, 1, 12), between(random, 0, 20), told);
      using store = await openStore(temp.path);
      deepStrictEqual(store.unreadable, []);
      for (const [taskId, state] of told) {
        const record = await store.read(taskId);
        ok(record !== undefined && record.status !== "working", `${taskId}, told ${state}`);
        if (state === "started") continue;
        strictEqual(record.status, "completed");
        strictEqual(record.answer?.structuredContent.result, "x".repeat(2000));
      }
      const names = [".lease", ".scope.json", ...store.list().map(({ taskId }) => `${taskId}.json`)];
      deepStrictEqual(await list(temp.path), names.sort(), "no temporary files");
    }
    const states = [...told.values()];
    started += states.length;
    completed += states.filter((state) => state === "completed").length;
  }));
  ok(completed > ROUNDS && started > completed, `${started} were started and ${completed} completed`);
});

/** Lets a child work until it has told so many lines, and some milliseconds more, then kills it. */
async function churnAndKill(path: string, lines: number, ms: number, told: Map<string, string>): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", `--allow-read=${path}`, `--allow-write=${path}`, CHILD, path],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("churn\n"));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = 0;
  for await (const line of child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())) {
    const [state = "", taskId = "", ...rest] = line.split(" ");
    if (taskId.length === 36 && rest.length === 0) told.set(taskId, state); // the last line may be cut
    if (++seen === lines) timer = setTimeout(() => child.kill("SIGKILL"), ms);
  }
  clearTimeout(timer);
  const { signal } = await child.status;
  await writer.close().catch(() => {});
  strictEqual(signal, "SIGKILL", "it ended by itself");
}
