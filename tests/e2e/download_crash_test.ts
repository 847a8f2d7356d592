/** Part files when processes end: what a killed one leaves is taken away, what a living one holds stays. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import * as support from "./transfer_support.ts";

const { begin, download, downloadArgs, heldFile, list, makeFolders, partFiles, resultOf, transferServer } = support;
const NEVER = Promise.withResolvers<void>().promise;

Deno.test("what kill -9 leaves of a download is taken away by the next start, a living server's part is not", async () => {
  verifies("download-reclaim", "download-part", "download-kept");
  await using folders = await makeFolders();
  const go = Promise.withResolvers<void>();
  await using bot = new RawBot();
  const held = heldFile(NEVER, { announced: 1000 });
  bot.script(heldFile(go.promise, { name: "living.bin", announced: 1000 }), held, held);
  await using living = await transferServer(bot, folders);
  await begin(living, "held", downloadArgs("x"));
  const [alive = ""] = await partFiles(folders.downloads, 1);
  const foreign = [".onebot-0.part", "movie.part", `onebot-${"0".repeat(32)}-5.part`];
  for (const name of foreign) await Deno.writeTextFile(join(folders.downloads, name), "not ours");

  await using killed = await transferServer(bot, folders);
  for (const id of ["one", "two"]) await begin(killed, id, downloadArgs("x"));
  const parts = await partFiles(folders.downloads, 3);
  killed.kill("SIGKILL");
  strictEqual((await killed.exit()).signal, "SIGKILL");
  deepStrictEqual(await list(folders.downloads), [...parts, ...foreign].sort(), "nobody was there to take them away");

  await using simulator = await startSimulator();
  await using next = await transferServer(simulator, folders);
  deepStrictEqual(await list(folders.downloads), [alive, ...foreign].sort());
  resultOf(await download(next, "whole", generatedFile(10)));
  go.resolve();
  resultOf(await living.receive(({ id }) => id === "held"));
  deepStrictEqual(await list(folders.downloads), ["10.bin", "living.bin", ...foreign].sort());
});

for (const end of ["SIGTERM", "end of input"] as const) {
  Deno.test(`${end} in a download takes its part away and exits 0 in time`, async () => {
    verifies("download-part", "shutdown");
    await using folders = await makeFolders();
    await using bot = new RawBot();
    bot.script(heldFile(NEVER));
    await using server = await transferServer(bot, folders);
    await begin(server, "held", downloadArgs("x"));
    await partFiles(folders.downloads, 1);
    if (end === "SIGTERM") server.kill(end);
    else await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    strictEqual(ms < 2000, true, `it took ${Math.round(ms)} ms`);
    deepStrictEqual(await list(folders.downloads), []);
  });
}
