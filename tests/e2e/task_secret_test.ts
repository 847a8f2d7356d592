/** What the task folder must not hold: credentials, in whatever form. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import { failedFrame, file, GENERIC, okFrame, streams, wire } from "./stream_support.ts";
import { makeTaskFolders, recordNames, TaskServer } from "./task_support.ts";
import { downloadArgs, list, sha256 } from "./transfer_support.ts";

const TOKEN = "s3cret-token_of.the/bot+4711";

Deno.test("no file of the task folder holds a token, plain or encoded, though the bot repeats it in every answer", async () => {
  verifies("tasks-no-secret");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(
    streams(wire(okFrame({ type: "response", data_type: "data_complete", told: `it is ${TOKEN}`, [TOKEN]: [TOKEN] }))),
    streams(wire(failedFrame(`bad token ${TOKEN}`))),
    streams(wire(file.info(5, { file_name: `${TOKEN}.bin` }), file.chunk(0, "hello"), file.complete(1, 5))),
    streams(`not JSON ${TOKEN}`),
  );
  await using server = TaskServer.for(bot, folders, { token: TOKEN });
  for (const args of [GENERIC, downloadArgs("x"), downloadArgs("x"), downloadArgs("x")]) {
    await server.settled((await server.begin(args)).taskId);
  }
  strictEqual((await (await bot.connection(0)).request).headers.authorization, `Bearer ${TOKEN}`, "it was in use");
  await server.finish();
  strictEqual((await recordNames(folders.tasks)).length, 4);
  const bytes = new TextEncoder().encode(TOKEN);
  const forms = [
    ...[TOKEN, JSON.stringify(TOKEN).slice(1, -1), encodeURIComponent(TOKEN)],
    ...[bytes.toHex(), bytes.toBase64(), bytes.toBase64({ alphabet: "base64url", omitPadding: true })],
    ...[await sha256(bytes), new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toBase64()],
    ...[TOKEN.slice(0, 12), TOKEN.slice(-12)],
  ];
  for (const name of await list(folders.tasks)) {
    const content = await Deno.readTextFile(join(folders.tasks, name));
    for (const form of forms) ok(!content.includes(form), `${name} has ${form}: ${content}`);
  }
  const said = await server.stderr;
  for (const form of forms) ok(!said.includes(form), said);
});

Deno.test("the file that says whose a folder is has a salt of its own and a slow digest, and nothing else", async () => {
  verifies("tasks-scope", "tasks-no-secret");
  const contents: Record<string, unknown>[] = [];
  await using bot = new RawBot();
  for (let count = 0; count < 2; count++) {
    await using folders = await makeTaskFolders();
    await using server = TaskServer.for(bot, folders, { token: TOKEN });
    await server.tasks();
    await server.finish();
    contents.push(JSON.parse(await Deno.readTextFile(join(folders.tasks, ".scope.json"))));
  }
  for (const content of contents) {
    deepStrictEqual(Object.keys(content).sort(), ["digest", "format", "salt"]);
    match(String(content.salt), /^[0-9a-f]{32}$/);
    match(String(content.digest), /^[0-9a-f]{64}$/);
  }
  const [first, second] = contents;
  ok(first?.salt !== second?.salt && first?.digest !== second?.digest, "the same token looks different");
});
