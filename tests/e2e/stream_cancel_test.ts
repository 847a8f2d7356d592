/** Downloads that their client or the end of the server breaks off. */
import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { RawBot } from "../support/raw_bot.ts";
import { passedOn } from "./exec_support.ts";
import {
  chunk,
  CHUNKED,
  DOWNLOAD,
  downloadFolder,
  file,
  GOOD,
  names,
  rigOptions,
  stays,
  StreamRig,
  streams,
  wire,
} from "./stream_support.ts";

/** Longest time from a cancellation to the closed connection, in milliseconds: "at once", with room for noise. */
const AT_ONCE_MS = 1_000;

/** Where a download stands when it is broken off, and whether it has a file by then. */
const MOMENTS = [
  { name: "before the answer", sent: [], part: false },
  { name: "before the first chunk", sent: [CHUNKED, chunk(wire(file.info(5)))], part: true },
  { name: "within a frame", sent: [CHUNKED, chunk(wire(file.info(0), file.chunk(0, "he")) + '{"status')], part: true },
  { name: "after the last frame, before the body's end", sent: [CHUNKED, chunk(GOOD)], part: true },
] as const;

/** Waits until the folder holds so many files. */
async function holds(folder: string, count: number): Promise<void> {
  for (const start = performance.now(); names(folder).length !== count;) {
    ok(performance.now() - start < 5_000, `not ${count} files: ${names(folder)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const connect of CLIENTS) {
  Deno.test(`cancelling a download closes its connection at once and leaves no file (${connect.name})`, async (t) => {
    verifies("stream-cancel", "download-part", "eras-equal");
    await using temp = await downloadFolder();
    const folder = temp.path;
    await using bot = new RawBot(streams(GOOD));
    await using client = await connect(rigOptions(bot, folder));
    for (const { name, sent, part } of MOMENTS) {
      await t.step(name, async () => {
        const index = bot.connections.length;
        bot.script(stays(...sent));
        const controller = new AbortController();
        const call = rejects(client.callTool("invoke_action", DOWNLOAD, controller.signal));
        const connection = await bot.connection(index);
        await connection.request;
        await holds(folder, part ? 1 : 0);
        for (const file of names(folder)) match(file, /\.part$/);
        const cancelledAt = performance.now();
        controller.abort();
        await call;
        const ms = await connection.closed - cancelledAt;
        ok(ms < AT_ONCE_MS, `closed after ${ms} ms`);
        await holds(folder, 0);
        const { envelope } = passedOn(await client.callTool("invoke_action", DOWNLOAD));
        deepStrictEqual(names(folder), ["a.bin"]);
        await Deno.remove(envelope.file_path);
      });
    }
  });
}

Deno.test("a cancelled download is not answered, and is nothing to worry about", async () => {
  verifies("stream-cancel");
  await using rig = await StreamRig.start();
  for (const [index, { sent, part }] of MOMENTS.entries()) {
    rig.bot.script(stays(...sent));
    const params = { name: "invoke_action", arguments: DOWNLOAD };
    await rig.server.send({ jsonrpc: "2.0", id: `gone-${index}`, method: "tools/call", params });
    const connection = await rig.bot.connection(2 * index);
    await connection.request;
    await holds(rig.folder, part ? 1 : 0);
    const cancelled = { requestId: `gone-${index}` };
    await rig.server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled });
    await connection.closed;
    await holds(rig.folder, 0);
    await rig.succeeds(streams(GOOD), "hello");
  }
  await rig.server.closeInput();
  strictEqual((await rig.server.exit()).code, 0);
  doesNotMatch(rig.server.lines.join("\n"), /"id":"gone-/);
  doesNotMatch(await rig.server.stderr, /may have taken effect/);
});

for (const end of ["SIGTERM", "end of input"] as const) {
  Deno.test(`${end} in the middle of a download ends within 2 s and leaves no file`, async () => {
    verifies("shutdown", "download-part");
    await using rig = await StreamRig.start({ timeoutMs: 20_000 });
    rig.bot.script(stays(...MOMENTS[2].sent));
    const params = { name: "invoke_action", arguments: DOWNLOAD };
    await rig.server.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await holds(rig.folder, 1);
    if (end === "SIGTERM") rig.server.kill(end);
    else await rig.server.closeInput();
    const { code, ms } = await rig.server.exit();
    strictEqual(code, 0);
    ok(ms < 2_000, `ended after ${ms} ms`);
    deepStrictEqual(names(rig.folder), []);
    await rig.bot.connections[0]?.closed;
  });
}
