/** The worker that `launch.ts` starts: does one job and tells its exit code. */
import { doJob, exitCodeOf, type Job } from "../cli/job.ts";

/** The part of a worker's global scope that is used, since the types of workers and of the main thread exclude each other. */
interface WorkerScope {
  onmessage: (event: MessageEvent<Job | "stop">) => void;
  postMessage(exitCode: number): void;
}

const scope = globalThis as unknown as WorkerScope;
const stop = new AbortController();
scope.onmessage = async ({ data }) => {
  if (data === "stop") return stop.abort();
  scope.postMessage(await exitCodeOf(() => doJob(data, stop.signal)));
};
