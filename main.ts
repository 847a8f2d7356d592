/** The command `snowluma-mcp`; `lib/cli/run.ts` is where it starts. */
import { run } from "./lib/cli/run.ts";

Deno.exit(await run(Deno.args, { demo: () => import("./lib/cli/demo.ts") }));
