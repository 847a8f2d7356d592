import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { Scope } from "../../../lib/tasks/scope.ts";
import { verifies } from "../../requirements.ts";
import { bits, list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { bindFolder, makeRecord, openStore, plant, plantRecord, SCOPE } from "./support.ts";

const FILE = ".scope.json";

Deno.test("TaskStore.open() binds a folder to mode, endpoint and token, and refuses any other with advice", async () => {
  verifies("tasks-scope");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const content = await Deno.readTextFile(join(temp.path, FILE));
  strictEqual(await bits(join(temp.path, FILE)), 0o600);
  const { mode, endpoint, token } = SCOPE;
  const others: Scope[] = [
    { ...SCOPE, mode: "read" },
    { ...SCOPE, endpoint: `${endpoint}x` },
    { ...SCOPE, token: `${token}x` },
    { mode, endpoint },
    { mode, endpoint, token: "" },
    { mode: mode + endpoint, endpoint: "", token: token ?? "" },
    { mode, endpoint: `${endpoint}","${token}` },
  ];
  for (const other of others) {
    const { kind, message, nextStep } = await failureOf(() => openStore(temp.path, other));
    strictEqual(kind, "busy");
    match(message, /: it belongs to another mode, endpoint or token$/);
    match(nextStep, /^Use invoke_action, .* set SNOWLUMA_MCP_TASK_DIR to a new private folder and keep the old one/);
  }
  await bindFolder(temp.path);
  strictEqual(await Deno.readTextFile(join(temp.path, FILE)), content);
});

Deno.test("a scope without a token and one with an empty token are two", async () => {
  verifies("tasks-scope");
  await using temp = await tempFolder();
  const { mode, endpoint } = SCOPE;
  (await openStore(temp.path, { mode, endpoint })).close();
  strictEqual((await failureOf(() => openStore(temp.path, { mode, endpoint, token: "" }))).kind, "busy");
});

Deno.test("no file of a task folder holds the token or the endpoint, and two folders have different digests", async () => {
  verifies("tasks-no-secret", "tasks-scope");
  const contents: string[] = [];
  for (let n = 0; n < 2; n++) {
    await using temp = await tempFolder();
    using store = await openStore(temp.path);
    await store.create(makeRecord());
    for (const name of await list(temp.path)) {
      const text = await Deno.readTextFile(join(temp.path, name));
      ok(!text.includes(SCOPE.token ?? "none") && !text.includes(SCOPE.endpoint), name);
    }
    const { format, salt, digest, ...rest } = JSON.parse(await Deno.readTextFile(join(temp.path, FILE)));
    deepStrictEqual([format, rest], [1, {}]);
    match(salt, /^[0-9a-f]{32}$/);
    match(digest, /^[0-9a-f]{64}$/);
    const fast = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt}${JSON.stringify(Object.values(SCOPE))}`)),
    );
    notStrictEqual(digest, fast.toHex());
    contents.push(salt, digest);
  }
  strictEqual(new Set(contents).size, 4);
});

Deno.test("the digest is PBKDF2 with SHA-256 and 100,000 rounds", async () => {
  verifies("tasks-scope");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const { salt, digest } = JSON.parse(await Deno.readTextFile(join(temp.path, FILE)));
  const { pbkdf2Sync } = await import("node:crypto");
  const text = `["write","http://127.0.0.1:3000/","correct horse battery"]`;
  strictEqual(pbkdf2Sync(text, Uint8Array.fromHex(salt), 100_000, 32, "sha256").toString("hex"), digest);
});

Deno.test("TaskStore.open() refuses a scope file that says nothing, names it, and leaves it as it is", async () => {
  verifies("tasks-validated", "tasks-scope");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const good = JSON.parse(await Deno.readTextFile(join(temp.path, FILE)));
  const cases: Array<[content: string | Uint8Array, reason: RegExp]> = [
    ["", /it is not JSON$/],
    ["null", /it is not format, salt and digest$/],
    [new Uint8Array([0xff]), /it is not UTF-8 text$/],
    [JSON.stringify({ ...good, format: 2 }), /it was written by a newer version$/],
    [JSON.stringify({ ...good, salt: "00" }), /it is not format, salt and digest$/],
    [JSON.stringify({ ...good, salt: good.salt.toUpperCase().replace(/^./, "A") }), /it is not format/],
    [JSON.stringify({ ...good, digest: 1 }), /it is not format, salt and digest$/],
    [JSON.stringify({ ...good, more: 1 }), /it is not format, salt and digest$/],
  ];
  for (const [content, reason] of cases) {
    await plant(temp.path, FILE, content);
    const { kind, message } = await failureOf(() => openStore(temp.path));
    strictEqual(kind, "storage");
    match(message, /^Cannot read "\.scope\.json" of the task folder: /);
    match(message, reason);
    deepStrictEqual(
      await Deno.readFile(join(temp.path, FILE)),
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
  await plant(temp.path, FILE, JSON.stringify(good), 0o640);
  match((await failureOf(() => openStore(temp.path))).message, /wider than 0600$/);
  await plant(temp.path, FILE, JSON.stringify(good));
  await bindFolder(temp.path);
});

Deno.test("TaskStore.open() refuses a folder with tasks that nothing says whose they are", async () => {
  verifies("tasks-validated", "tasks-scope");
  await using temp = await tempFolder();
  const record = makeRecord();
  await plantRecord(temp.path, record);
  const { kind, message, nextStep } = await failureOf(() => openStore(temp.path));
  strictEqual(kind, "storage");
  match(message, /it has tasks, but no \.scope\.json that says whose they are$/);
  match(nextStep, /^Use invoke_action, .* set SNOWLUMA_MCP_TASK_DIR to a new private folder and keep the old one/);
  deepStrictEqual(await list(temp.path), [".lease", `${record.taskId}.json`].sort());
  await Deno.remove(join(temp.path, `${record.taskId}.json`));
  await bindFolder(temp.path);
});
