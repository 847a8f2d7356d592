/** Everything that is not on the list, tried from inside of the process, with exactly the flags that are printed. */
import { verifies } from "../requirements.ts";
import { denoRun, EXACT_FLAGS, flagsFor, supportFile } from "./sandbox_support.ts";
import { checkIntrusion, INTRUDED_MODES } from "./sandbox_intrusion.ts";

for (const mode of INTRUDED_MODES) {
  Deno.test(
    { name: `deno run refuses an intruder in ${mode} mode all but what the mode needs`, ...EXACT_FLAGS },
    async () => {
      verifies("sandbox-refuses", "sandbox-flags", ...mode === "docs" ? ["sandbox-docs" as const] : []);
      const unstable = "--unstable-worker-options"; // grants nothing; without it, trying the nested worker ends the process
      await checkIntrusion(
        mode,
        async (env) => denoRun([unstable, ...await flagsFor(env)], env, [], supportFile("intruder_main.ts")),
      );
    },
  );
}
