/** The binary's worker with an intruder in it, who has what the worker has. */
import "../../lib/sandbox/worker.ts";
import type { Job } from "../../lib/cli/job.ts";
import { intrude, unpack } from "./intruder.ts";

const scope = globalThis as unknown as { onmessage: (event: MessageEvent<Job | "stop">) => unknown };
const serve = scope.onmessage;
scope.onmessage = async (event) => {
  if (event.data !== "stop") await intrude(unpack(event.data.config.eventsToken));
  await serve(event);
};
