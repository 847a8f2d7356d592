/** Four stream actions run at once; the fifth is refused at once, and a place that was given back is good again. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { cuts, type RawScript } from "../support/raw_bot.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { failureOf, goesOn, receiveAll } from "./exec_support.ts";
import * as support from "./transfer_support.ts";
import { UploadBot, type UploadScript } from "./upload_bot.ts";

const { begin, cancel, download, eventually, makeFolders, pattern, resultOf, transferServer, upload } = support;

/** How the four end that hold their places. */
const ENDS: ReadonlyArray<readonly [name: string, end: (right: RawScript) => RawScript]> = [
  ["success", (right) => right],
  ["failure", () => cuts()],
  ["cancellation", () => ({ closed }) => closed],
];

Deno.test("a fifth stream action is refused as busy at once, and goes when one of the four has ended", async (t) => {
  verifies("stream-slots", "refusals-send-nothing");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(10));
  let script: UploadScript = (_, right) => right;
  await using bot = new UploadBot((call, right) => call.kind === "chunk" ? script(call, right) : right);
  await using server = await transferServer(bot, folders);
  for (const [name, end] of ENDS) {
    await t.step(`they end by ${name}`, async () => {
      bot.calls.length = 0;
      const go = Promise.withResolvers<void>();
      script = (_, right) => async (connection) => {
        if (name !== "cancellation") await go.promise;
        await end(right)(connection);
      };
      const ids = ["a", "b", "c", "d"].map((id) => `${id} ${name}`);
      for (const id of ids) await begin(server, id, support.uploadArgs("file.bin"));
      await bot.came("chunk", 4);
      await checkBusy(server, name);
      strictEqual(bot.tally, "4/0/0", "nothing of the refused ones was sent");
      await goesOn(server, `read ${name}`); // ordinary calls have places of their own

      if (name === "cancellation") { for (const id of ids) await cancel(server, id); }
      go.resolve();
      if (name !== "cancellation") await receiveAll(server, new Set(ids));
      else await bot.came("reset", 4); // nobody is told, so it has to be tried when they have ended
      script = (_, right) => right;
      let attempt = 0;
      resultOf(await eventually(() => notBusy(upload(server, `after ${name} ${attempt++}`, "file.bin"))));
    });
  }
});

async function checkBusy(server: ServerProcess, name: string): Promise<void> {
  const start = performance.now();
  const refused = [
    await upload(server, `upload ${name}`, "file.bin"),
    await download(server, `download ${name}`, "whatever"),
    await server.call(`test ${name}`, "invoke_action", { action: "test_download_stream" }),
  ];
  ok(performance.now() - start < 5000, "they waited, of a timeout of 20 s");
  for (const answer of refused) {
    const { outcome, kind, message, next_step } = failureOf(answer);
    deepStrictEqual([outcome, kind], ["failed", "busy"], message);
    match(message, /4 streams run already/);
    match(next_step, /call again/);
  }
}

async function notBusy(call: Promise<Message>): Promise<Message | undefined> {
  const answer = await call;
  return answer.result.structuredContent.diagnostics.kind === "busy" ? undefined : answer;
}
