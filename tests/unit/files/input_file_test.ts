import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { type InputFile, openInputFile, openUploadRoot, type UploadRoot } from "../../../lib/files/input_file.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { startChild, tempFolder } from "./support.ts";

const MAX_BYTES = 1000;

/** A root with one file, `a.txt`, beside a file that is none of its business. */
async function makeRoot(): Promise<AsyncDisposable & { root: UploadRoot; path: string; outside: string }> {
  const temp = await tempFolder();
  const [path, outside] = [join(temp.path, "root"), join(temp.path, "secret.txt")];
  await Deno.mkdir(path, { mode: 0o700 });
  await Deno.writeTextFile(join(path, "a.txt"), "hello");
  await Deno.writeTextFile(outside, "secret");
  return { root: await openUploadRoot(path), path, outside, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

async function readAll(file: InputFile, pieceSize = 4): Promise<string> {
  const piece = new Uint8Array(pieceSize);
  let text = "";
  for (let count = pieceSize; count === pieceSize;) {
    count = await file.read(piece);
    text += new TextDecoder().decode(piece.subarray(0, count));
  }
  await file.checkUnchanged();
  return text;
}

Deno.test("openInputFile() opens a file by its relative path and by either absolute spelling", async () => {
  verifies("upload-fence", "upload-steady");
  await using temp = await makeRoot();
  await Deno.mkdir(join(temp.path, "sub", "deep"), { recursive: true, mode: 0o755 });
  await Deno.writeTextFile(join(temp.path, "sub", "deep", "..b.txt"), "");
  await Deno.rename(join(temp.path, "sub", "deep", "..b.txt"), join(temp.path, "sub", "deep", "b..txt"));
  const link = `${temp.path}_link`;
  await Deno.symlink(temp.path, link);
  const linked = await openUploadRoot(link);
  deepStrictEqual(linked, { given: link, real: temp.path });
  for (const path of ["a.txt", "./a.txt", join(temp.path, "a.txt"), join(link, "a.txt")]) {
    using file = await openInputFile(linked, path, MAX_BYTES);
    deepStrictEqual([file.name, file.size], ["a.txt", 5]);
    strictEqual(await readAll(file), "hello");
  }
  using empty = await openInputFile(temp.root, "sub/deep/b..txt", 0);
  strictEqual(await readAll(empty), "");
});

Deno.test("InputFile.read() fills its buffer up to the end of the file", async () => {
  verifies("upload-chunks");
  await using temp = await makeRoot();
  const bytes = new Uint8Array(5_000_000).map((_, n) => n ^ (n >> 8) ^ (n >> 16));
  await Deno.writeFile(join(temp.path, "large.bin"), bytes);
  using file = await openInputFile(temp.root, "large.bin", bytes.length);
  const counts: number[] = [];
  const into = new Uint8Array(2_000_000);
  for (let at = 0; at < bytes.length; at += into.length) {
    const count = await file.read(into);
    deepStrictEqual(into.subarray(0, count), bytes.subarray(at, at + count));
    counts.push(count);
  }
  deepStrictEqual([...counts, await file.read(into)], [2_000_000, 2_000_000, 1_000_000, 0]);
  await file.checkUnchanged();
});

Deno.test("openInputFile() limits the size, exactly", async () => {
  verifies("bounded", "upload-fence");
  await using temp = await makeRoot();
  (await openInputFile(temp.root, "a.txt", 5))[Symbol.dispose]();
  const { kind, message, nextStep } = await failureOf(() => openInputFile(temp.root, "a.txt", 4));
  strictEqual(kind, "input_file");
  strictEqual(message, 'Cannot upload "a.txt": it has 5 bytes, and 4 are allowed');
  match(nextStep, /SNOWLUMA_MCP_MAX_STREAM_BYTES\.$/);
});

/** What happens to a file of five bytes. */
const CHANGES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  grows: (path) => Deno.writeTextFile(path, "more", { append: true }),
  shrinks: (path) => Deno.truncate(path, 3),
  vanishes: (path) => Deno.truncate(path, 0),
  "is rewritten": (path) => Deno.writeTextFile(path, "HELLO"),
};

for (const [change, make] of Object.entries(CHANGES)) {
  Deno.test(`InputFile tells that the file ${change} while it is read`, async () => {
    verifies("upload-steady");
    await using temp = await makeRoot();
    const path = join(temp.path, "a.txt");
    await Deno.utime(path, new Date(0), new Date(0)); // so that any change is at another time
    for (const before of [0, 4, 5]) {
      await Deno.writeTextFile(path, "hello");
      await Deno.utime(path, new Date(0), new Date(0));
      using file = await openInputFile(temp.root, "a.txt", MAX_BYTES);
      if (before > 0) await file.read(new Uint8Array(before));
      await make(path);
      const { kind, message, nextStep } = await failureOf(() => readAll(file));
      strictEqual(kind, "input_file");
      strictEqual(message, 'Cannot upload "a.txt": it changed while it was read');
      match(nextStep, /\.$/);
    }
  });
}

Deno.test("InputFile.read() fails by itself on more or fewer bytes than the file had", async () => {
  verifies("upload-steady");
  await using temp = await makeRoot();
  const path = join(temp.path, "a.txt");
  for (const text of ["hell", "", "hello, too long"]) {
    await Deno.writeTextFile(path, "hello");
    using file = await openInputFile(temp.root, "a.txt", MAX_BYTES);
    await Deno.writeTextFile(path, text);
    match((await failureOf(() => file.read(new Uint8Array(10)))).message, /it changed while it was read$/);
  }
});

Deno.test("InputFile.checkUnchanged() fails before the last byte", async () => {
  verifies("upload-steady");
  await using temp = await makeRoot();
  using file = await openInputFile(temp.root, "a.txt", MAX_BYTES);
  await file.read(new Uint8Array(3));
  match((await failureOf(() => file.checkUnchanged())).message, /it changed while it was read$/);
});

Deno.test("openUploadRoot() refuses what is no directory", async () => {
  verifies("upload-root");
  await using temp = await makeRoot();
  for (
    const [path, reason] of [
      [temp.outside, /: it is not a directory$/],
      [join(temp.path, "none"), /: No such file or directory \(ENOENT\)$/],
    ] as const
  ) {
    const { kind, message, nextStep } = await failureOf(() => openUploadRoot(path));
    strictEqual(kind, "input_file");
    match(message, reason);
    match(nextStep, /SNOWLUMA_MCP_UPLOAD_ROOT\.$/);
  }
});

Deno.test("openUploadRoot() and openInputFile() need a grant to read the root alone, and name it", async () => {
  verifies("upload-root", "upload-fence", "exact-grants", "no-prompt");
  await using temp = await makeRoot();
  const link = `${temp.path}_link`;
  await Deno.symlink(temp.path, link);
  await Deno.symlink(temp.outside, join(temp.path, "out.txt"));
  await using exact = startChild("input_child.ts", [`--allow-read=${temp.path}`], [temp.path]);
  await using half = startChild("input_child.ts", [`--allow-read=${link}`], [link]);
  await using none = startChild("input_child.ts", [], [temp.path]);
  deepStrictEqual(JSON.parse(await exact.ask("a.txt")), { name: "a.txt", text: "hello" });
  match(JSON.parse(await exact.ask("out.txt")).message, /through, a link$/);
  match(JSON.parse(await exact.ask(temp.outside)).message, /leads out of the upload root/);
  for (const child of [half, none]) {
    const { kind, message, next } = JSON.parse(await child.ask("a.txt"));
    strictEqual(kind, "input_file");
    match(message, /^Cannot use the upload root ".*": the permission is missing$/);
    strictEqual(next.includes(`add --allow-read=${temp.path}, or`), true, next);
  }
});
