import { match, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { openInputFile, openUploadRoot, type UploadRoot } from "../../../lib/files/input_file.ts";
import { Failure } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { isRoot, startChild, type TempFolder, tempFolder } from "./support.ts";

/** A root with `a.txt` and `sub/b.txt`, beside `secret.txt`. */
async function makeRoot(): Promise<{ temp: TempFolder; root: UploadRoot; path: string }> {
  const temp = await tempFolder();
  const path = join(temp.path, "root");
  await Deno.mkdir(join(path, "sub"), { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(join(path, "a.txt"), "public");
  await Deno.writeTextFile(join(path, "sub", "b.txt"), "public");
  await Deno.writeTextFile(join(temp.path, "secret.txt"), "secret");
  return { temp, root: await openUploadRoot(path), path };
}

/** Asks for a file that has to be refused, and gives the reason. */
async function refusal(root: UploadRoot, path: string): Promise<string> {
  const { kind, message, nextStep } = await failureOf(() => openInputFile(root, path, 1000));
  strictEqual(kind, "input_file");
  match(nextStep, /^[A-Z].*SNOWLUMA_MCP_UPLOAD_ROOT.*\.$/);
  const [start, reason] = [`Cannot upload ${JSON.stringify(path)}: `, message.slice(message.indexOf('": ') + 3)];
  ok(message.startsWith(start) || path.length > 300, message);
  return reason;
}

Deno.test("openInputFile() says the same of everything outside the root", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  const outside = [
    join(temp.path, "secret.txt"),
    join(temp.path, "none.txt"),
    join(temp.path, "secret.txt", "below"),
    `${path}_beside`,
    `${path}/../secret.txt`,
    "/home/me/.ssh/id_rsa",
    "/",
    "..",
    "../secret.txt",
    "../none.txt",
    "sub/../../secret.txt",
    "sub/../a.txt",
    "sub\\..\\..\\secret.txt",
  ];
  for (const each of outside) {
    strictEqual(await refusal(root, each), 'it leads out of the upload root, or has ".." in it', each);
  }
});

Deno.test("openInputFile() refuses links at any level, wherever they lead", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  await Deno.symlink(join(temp.path, "secret.txt"), join(path, "out.txt"));
  await Deno.symlink(join(path, "a.txt"), join(path, "in.txt"));
  await Deno.symlink("nowhere", join(path, "dangling.txt"));
  await Deno.symlink(temp.path, join(path, "up"));
  await Deno.symlink("sub", join(path, "beside"));
  await Deno.symlink("/proc/self/environ", join(path, "sub", "environ"));
  for (
    const each of [
      "out.txt",
      "in.txt",
      "dangling.txt",
      "dangling.txt/x",
      "up/secret.txt",
      "up/none",
      "beside/b.txt",
      "sub/environ",
      join(path, "up", "root", "a.txt"),
    ]
  ) {
    strictEqual(await refusal(root, each), "it is, or is reached through, a link", each);
  }
});

Deno.test("openInputFile() refuses what is no plain file of one name", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  await new Deno.Command("mkfifo", { args: [join(path, "fifo")] }).output();
  await Deno.link(join(temp.path, "secret.txt"), join(path, "hard.txt"));
  for (const each of ["fifo", "sub", ".", path, "sub/"]) {
    strictEqual(await refusal(root, each), "it is not a regular file", each); // the FIFO keeps nobody waiting
  }
  strictEqual(await refusal(root, "hard.txt"), "it has another name, by a hard link");
  for (const each of ["", "a.txt\0.png", "\0"]) strictEqual(await refusal(root, each), "it is not a path");
  for (const each of ["none.txt", "none/b.txt"]) match(await refusal(root, each), /ENOENT/);
  match(await refusal(root, "a.txt/b"), /there is no such file/);
  match(await refusal(root, "x".repeat(5000)), /./);
});

Deno.test("openInputFile() refuses hidden files and key files, whether they exist or not", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  await Deno.mkdir(join(path, ".ssh"), { mode: 0o700 });
  await Deno.writeTextFile(join(path, ".ssh", "config"), "");
  await Deno.writeTextFile(join(path, "server.PEM"), "");
  for (const each of [".ssh/config", ".env", "sub/.hidden/x", "./.env", join(path, ".ssh", "config")]) {
    strictEqual(await refusal(root, each), "hidden files are not uploaded", each);
  }
  const keys = ["server.PEM", "a.key", "a.p12", "a.Pfx", "sub/a.ppk", "a.jks", "a.kdbx", "id_rsa", "ID_DSA.old"];
  for (const each of [...keys, "id_ecdsa_sk", "id_ed25519.pub"]) {
    strictEqual(await refusal(root, each), "files of keys and passwords are not uploaded", each);
  }
  for (const each of ["keynote.key.txt", "my_id_rsa.txt", "pem"]) {
    await Deno.writeTextFile(join(path, each), "");
    (await openInputFile(root, each, 0))[Symbol.dispose]();
  }
});

Deno.test("openInputFile() refuses folders that others could exchange", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  const sub = join(path, "sub");
  for (const mode of [0o770, 0o702, 0o1777]) {
    await Deno.chmod(sub, mode);
    strictEqual(await refusal(root, "sub/b.txt"), "others may write to a folder that it is in");
  }
  await Deno.chmod(sub, 0o755);
  (await openInputFile(root, "sub/b.txt", 1000))[Symbol.dispose]();

  await Deno.chmod(path, 0o1777); // only what is directly in such a root cannot be exchanged unseen
  strictEqual(
    await refusal(root, "sub/b.txt"),
    "others may write to the upload root, so files in its folders are not sent",
  );
  (await openInputFile(root, "a.txt", 1000))[Symbol.dispose]();
});

Deno.test({
  name: "openInputFile() refuses folders of other users than the root's owner and uid 0",
  ignore: !await isRoot(),
  fn: async () => {
    verifies("upload-fence");
    const { temp, root, path } = await makeRoot();
    await using _ = temp;
    await Deno.chown(join(path, "sub"), 12_345, null);
    strictEqual(await refusal(root, "sub/b.txt"), "a folder that it is in belongs to another user");
    await Deno.chown(path, 12_345, null);
    (await openInputFile(root, "sub/b.txt", 1000))[Symbol.dispose]();
    await Deno.chown(join(path, "sub"), 0, null);
    (await openInputFile(root, "sub/b.txt", 1000))[Symbol.dispose]();
  },
});

Deno.test("openInputFile() lets nothing out while another process swaps file and links", async () => {
  verifies("upload-fence");
  const { temp, root, path } = await makeRoot();
  await using _ = temp;
  const args = [join(path, "a.txt"), join(temp.path, "secret.txt")];
  await using child = startChild("swap_child.ts", ["--allow-read", "--allow-write"], args); // links need all of both
  const seen = { public: 0, refused: 0 };
  const end = Date.now() + 1_000;
  while (Date.now() < end || seen.public < 10 || seen.refused < 10) {
    let swapping = true;
    const swaps = child.ask("swap");
    const ended = (): boolean => swapping = false;
    swaps.then(ended, ended);
    while (swapping) {
      const text = await readIfAllowed(root, "a.txt");
      ok(text === undefined || text === "public", text);
      seen[text === undefined ? "refused" : "public"]++;
    }
    await swaps;
  }
});

Deno.test({
  name: "openInputFile() does not wait for a FIFO that took the file's place after the first look",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("upload-fence");
    const { temp, root, path } = await makeRoot();
    await using _ = temp;
    const fifo = join(path, "a.txt");
    const { lstat, open } = Deno;
    const seen = await lstat(fifo);
    await Deno.remove(fifo);
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    let opening: Promise<Deno.FsFile> | undefined;
    Deno.lstat = (each) => each === fifo ? Promise.resolve(seen) : lstat(each); // as if it were exchanged right after
    Deno.open = (...args) => opening = open(...args);
    const both = { read: true, write: true }; // opens a FIFO at once, and frees who waits for it
    const rescue = setTimeout(async () => (await open(fifo, both)).close(), 5_000);
    const start = performance.now();
    try {
      strictEqual(await refusal(root, "a.txt"), "it changed while it was opened");
    } finally {
      clearTimeout(rescue);
      Object.assign(Deno, { lstat, open });
    }
    const ms = performance.now() - start;
    ok(ms > 1_900 && ms < 4_900, `${ms} ms`); // OPEN_MS, and some for a busy machine
    using _writer = await Deno.open(fifo, both);
    const late = await opening;
    ok(late !== undefined);
    await rejects(late.stat(), Deno.errors.BadResource, "it was closed as soon as it was open");
  },
});

/** The text of a file, `undefined` if it is refused. */
async function readIfAllowed(root: UploadRoot, path: string): Promise<string | undefined> {
  try {
    using file = await openInputFile(root, path, 1000);
    const bytes = new Uint8Array(file.size);
    strictEqual(await file.read(bytes), bytes.length);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof Failure && error.kind === "input_file") return undefined;
    throw error;
  }
}
