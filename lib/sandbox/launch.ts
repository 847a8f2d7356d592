/** Does jobs in a worker that has no more than its configuration needs. */
import type { Needs } from "../config/needs.ts";
import { EXIT } from "../cli/job.ts";
import type { Elsewhere } from "../cli/run.ts";
import { realPaths } from "./real_paths.ts";

/** A worker that has not answered so long after it was told to stop is stuck, in milliseconds; serving ends within 2 s. */
const HOPELESS_MS = 5000;

/**
 * Gives what does a job in a worker of its own. Grants that a program was started with as a whole (all of `read`, say)
 * cannot be narrowed later, but a worker can be given a list.
 *
 * The worker gets the job as its first message, and `"stop"` when it is to end; it answers with the exit code. An error
 * that it does not catch ends the process with 1, as on the main thread.
 *
 * @param url Its module; `worker.ts` is what it has to do.
 */
export function inWorker(url: URL): Elsewhere {
  return async (job, needs, stop) => {
    const unnamed = job.config.sources.streamDir === "default" ? job.config.streamDir : undefined;
    const permissions = permissionsOf({
      ...needs,
      read: await realPaths(needs.read, unnamed),
      write: await realPaths(needs.write, unnamed),
    });
    const worker = new Worker(url, { type: "module", deno: { permissions } });
    const { promise, resolve } = Promise.withResolvers<number>();
    worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
    worker.postMessage(job);
    const end = (): void => {
      worker.postMessage("stop");
      setTimeout(() => resolve(EXIT.failure), HOPELESS_MS);
    };
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
    return await promise;
  };
}

/** An empty list becomes a plain no. */
function permissionsOf({ read, write, net, env }: Needs): Deno.PermissionOptionsObject {
  const only = (values: readonly string[]): string[] | false => values.length > 0 && [...values];
  return {
    read: only(read),
    write: only(write),
    net: only(net),
    env: only(env),
    run: false,
    sys: false,
    ffi: false,
    import: false,
  };
}
