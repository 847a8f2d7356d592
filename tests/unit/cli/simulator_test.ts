import { match, ok, rejects, strictEqual } from "node:assert/strict";
import { runSimulator } from "../../../lib/cli/simulator.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** What it prints when it is told to stop at once. */
async function printed(port?: string): Promise<string> {
  const lines: string[] = [];
  const config = resolveConfig({ flags: {}, environment: {} });
  await runSimulator(config, port, AbortSignal.abort(), (line) => lines.push(line));
  return lines.join("\n");
}

const PORT = freePort();
const OTHER = PORT === 3999 ? 4000 : 3999;

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function refuses(port: string | undefined, grant: string): Promise<void> {
  await rejects(() => printed(port), (error: unknown) => {
    ok(error instanceof UsageError);
    ok(error.message.endsWith(`: add --allow-net=${grant}`), error.message);
    return true;
  });
}

Deno.test({
  name: "runSimulator() names the grant it misses",
  permissions: { net: false },
  async fn() {
    verifies("no-prompt");
    await refuses("3999", "127.0.0.1:3999");
    await refuses("03999", "127.0.0.1:3999");
    for (const port of [undefined, "0", "00"]) await refuses(port, "127.0.0.1");
  },
});

Deno.test({
  name: "runSimulator() is content with a grant for its port, which is none for any other",
  permissions: { net: [`127.0.0.1:${PORT}`] },
  async fn() {
    verifies("no-prompt");
    strictEqual(
      await printed(String(PORT)),
      `The simulated bot answers at http://127.0.0.1:${PORT}/ without a token.`,
    );
    await refuses(String(OTHER), `127.0.0.1:${OTHER}`);
    await refuses(undefined, "127.0.0.1");
  },
});

Deno.test("runSimulator() takes a free port by itself", async () => {
  match(await printed(), /^The simulated bot answers at http:\/\/127\.0\.0\.1:[1-9][0-9]*\/ without a token\.$/);
});
