/**
 * Uses the task folder given, as it is told line by line: `check` looks at it, `open` takes it, `create` adds a task that works, and `churn`
 * starts tasks with progress and an end, and tells of each, until it is killed.
 */
import { Failure } from "../../../lib/errors.ts";
import { TaskRunner } from "../../../lib/tasks/runner.ts";
import { TaskStore } from "../../../lib/tasks/store.ts";
import { checkTaskFolder } from "../../../lib/tasks/task_folder.ts";
import { answerLines } from "../files/support.ts";
import { makeRecord, ORIGIN, SCOPE } from "./support.ts";

const [path = ""] = Deno.args;
let store: TaskStore | undefined;

async function run(line: string): Promise<unknown> {
  if (line === "churn") return await churn();
  if (line === "check") return await checkTaskFolder(path);
  if (line === "create") {
    const record = makeRecord();
    await store?.create(record);
    return record.taskId;
  }
  store = await TaskStore.open(path, SCOPE);
  return store.list().length;
}

/** Two tasks at a time; `started <id>` and `completed <id>` are told when they are promises to a client. */
async function churn(): Promise<void> {
  store = await TaskStore.open(path, SCOPE);
  let time = Date.now();
  const runner = new TaskRunner(store, { now: () => time += 500 }); // so that progress is written now and then
  const tell = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  const lane = async () => {
    while (true) {
      const ended = Promise.withResolvers<void>();
      const { taskId } = await runner.start(ORIGIN, async (_signal, report) => {
        for (let value = 1; value <= 3; value++) {
          report(value, 3);
          await new Promise((resolve) => setTimeout(resolve));
        }
        ended.resolve();
        return { result: "x".repeat(2000), diagnostics: { outcome: "success" } };
      });
      tell(`started ${taskId}`);
      await ended.promise;
      while ((await runner.get(taskId))?.status === "working") await new Promise((resolve) => setTimeout(resolve));
      tell(`completed ${taskId}`);
    }
  };
  await Promise.all([lane(), lane()]);
}

function plain(error: unknown): unknown {
  if (!(error instanceof Failure)) return String(error);
  const { kind, message, nextStep } = error;
  return { kind, message, next: nextStep };
}

await answerLines((line) => run(line).catch(plain));
