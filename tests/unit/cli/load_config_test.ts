import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { loadConfig } from "../../../lib/cli/load_config.ts";
import type { Config } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** The configuration of a file with this text. */
async function load(text: string): Promise<Config> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, text);
    return await loadConfig({ config: path });
  } finally {
    await Deno.remove(path);
  }
}

/** Whoever runs the tests may have settings of their own in the environment. */
const permissions: Deno.PermissionOptions = { read: "inherit", write: "inherit", env: ["TMPDIR"] };

Deno.test({
  name: "loadConfig() reads a file that starts with a byte order mark",
  permissions,
  async fn() {
    verifies("config-sources");
    for (const start of ["", "\ufeff"]) {
      const { lang, sources } = await load(`${start}{"lang":"zh"}\r\n`);
      deepStrictEqual([lang, sources.lang], ["zh", "file"]);
    }
  },
});

Deno.test({
  name: "loadConfig() refuses a file that is not JSON, without a word of it",
  permissions,
  async fn() {
    verifies("config-invalid", "no-token");
    for (const text of ['{"token":"hush-hush"', "\ufeff\ufeff{}", '{"lang":"zh"}\ufeff', "hush"]) {
      await rejects(() => load(text), (error: unknown) => {
        ok(error instanceof UsageError);
        ok(error.message.endsWith("is not JSON") && !error.message.includes("hush"), error.message);
        return true;
      });
    }
  },
});

Deno.test({
  name: "loadConfig() reads each token from the file that its flag names",
  permissions,
  async fn() {
    verifies("config-sources", "events-token");
    const [calls, events] = [await Deno.makeTempFile(), await Deno.makeTempFile()];
    try {
      await Deno.writeTextFile(calls, "of-calls\n");
      await Deno.writeTextFile(events, "of-events\r\n");
      const flags = { "token-file": calls, "events-token-file": events };
      const { token, eventsToken, sources } = await loadConfig(flags);
      deepStrictEqual([token, eventsToken, sources.token, sources.eventsToken], [
        "of-calls",
        "of-events",
        "flag",
        "flag",
      ]);
      strictEqual((await loadConfig({ "token-file": calls })).eventsToken, "of-calls");
      strictEqual((await loadConfig({ "events-token-file": events })).token, undefined);
    } finally {
      await Promise.all([Deno.remove(calls), Deno.remove(events)]);
    }
  },
});
