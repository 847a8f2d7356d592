/** The command `snowluma-mcp` as a binary, which was compiled with wide grants: its work is done in a worker with few. */
import { run } from "./lib/cli/run.ts";
import { inWorker } from "./lib/sandbox/launch.ts";

Deno.exit(await run(Deno.args, { elsewhere: inWorker(new URL("./worker.js", import.meta.url)) }));
