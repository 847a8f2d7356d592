import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { list, startChild, tempFolder } from "./support.ts";

const QUOTA = 1000;

function open(path: string, quotaBytes = QUOTA): Promise<DownloadFolder> {
  return DownloadFolder.open(path, { isDefault: false, quotaBytes });
}

/** Grants for one folder alone. */
function grants(path: string): string[] {
  return [`--allow-read=${path}`, `--allow-write=${path}`];
}

Deno.test("DownloadFolder.reserve() fits exactly up to the quota, over finished files and reservations", async () => {
  verifies("download-quota", "bounded");
  await using temp = await tempFolder();
  const folder = await open(temp.path);
  await Deno.writeFile(join(temp.path, "finished.bin"), new Uint8Array(300));
  await Deno.writeFile(join(temp.path, "browser.part"), new Uint8Array(100));
  await Deno.mkdir(join(temp.path, "kept"));
  await Deno.writeFile(join(temp.path, "kept", "large.bin"), new Uint8Array(5000));
  await Deno.symlink(join(temp.path, "kept", "large.bin"), join(temp.path, "link"));
  await using _first = await folder.reserve(400);

  const { kind, message, nextStep } = await failureOf(() => folder.reserve(201));
  strictEqual(kind, "quota");
  strictEqual(message, `Cannot reserve 201 bytes in ${JSON.stringify(temp.path)}: 800 of 1000 bytes are taken`);
  match(nextStep, /move or delete finished files.*SNOWLUMA_MCP_MAX_STREAM_BYTES/);
  strictEqual(
    (await list(temp.path)).filter((name) => name.startsWith(".onebot-")).length,
    1,
    "what was refused is gone",
  );

  {
    await using _second = await folder.reserve(200);
    await using _nothing = await folder.reserve(0);
    await failureOf(() => folder.reserve(1));
  }
  await using _again = await folder.reserve(200);
});

Deno.test("DownloadFolder.reserve() counts a finished file by its size, not by its reservation", async () => {
  verifies("download-quota", "download-kept");
  await using temp = await tempFolder();
  const folder = await open(temp.path);
  {
    await using part = await folder.reserve(900);
    await part.write(new Uint8Array(10));
    await part.commit("small.bin");
  }
  await using _rest = await folder.reserve(990);
  await failureOf(() => folder.reserve(1));
  strictEqual((await list(temp.path)).includes("small.bin"), true);
});

Deno.test("DownloadFolder.reserve() lets two calls of one process not refuse each other", async () => {
  verifies("download-quota");
  await using temp = await tempFolder();
  const folder = await open(temp.path);
  for (let round = 0; round < 10; round++) {
    const parts = await Promise.allSettled([600, 600, 600].map((bytes) => folder.reserve(bytes)));
    deepStrictEqual(parts.map(({ status }) => status), ["fulfilled", "rejected", "rejected"]);
    for (const part of parts) if (part.status === "fulfilled") await part.value.discard();
  }
});

Deno.test("DownloadFolder.reserve() counts a file once while it is being published", async () => {
  verifies("download-quota");
  await using temp = await tempFolder();
  const folder = await open(temp.path);
  await using part = await folder.reserve(600);
  await part.write(new Uint8Array(600));
  const [name = ""] = await list(temp.path);
  await Deno.link(join(temp.path, name), join(temp.path, "published.bin")); // as commit() has it for a moment
  await using _rest = await folder.reserve(400);
});

Deno.test("DownloadFolder.reserve() of two processes at once never exceeds the quota", async () => {
  verifies("download-quota");
  await using temp = await tempFolder();
  const start = () => startChild("folder_child.ts", grants(temp.path), [temp.path, String(QUOTA), "100"]);
  await using first = start();
  await using second = start();
  for (let round = 0; round < 10; round++) {
    const granted = (await Promise.all([first.ask("reserve 10"), second.ask("reserve 10")])).map(Number);
    const total = (granted[0] ?? NaN) + (granted[1] ?? NaN);
    strictEqual(total >= 1 && total <= 10, true, `${granted} were granted`);
    strictEqual((await list(temp.path)).length, total);
    await Promise.all([first.ask("free"), second.ask("free")]);
    strictEqual((await list(temp.path)).length, 0);
  }
});

Deno.test("a download under grants for its folder alone works from making the folder to commit", async () => {
  verifies("download-whole", "download-folder", "exact-grants");
  await using temp = await tempFolder();
  const path = join(temp.path, "new", "folder");
  await using child = startChild("folder_child.ts", grants(path), [path, String(QUOTA), "100"]);
  strictEqual(JSON.parse(await child.ask("download ../a.bin")), join(path, "a.bin"));
  deepStrictEqual(await list(path), ["a.bin"]);
});
