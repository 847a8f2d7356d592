/** What `deno publish` would send, put alone into an empty folder: it is whole, and holds nothing else. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { dirname, join } from "node:path";
import { verifies } from "../requirements.ts";
import { ROOT } from "../contract/source.ts";

/** What somebody needs who has the package alone. */
const WANTED = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "catalog/catalog.json",
  "deno.json",
  "lib/mod.ts",
  "lib/simulator/mod.ts",
  "lib/tools/input_schemas.json",
  "main.ts",
  "ui/panel.html",
];
/** What has no business in it: tests, what others are made of, pictures, what the machine left. */
const ALLOWED =
  /^(CHANGELOG\.md|LICENSE|README\.md|deno\.json|main\.ts|catalog\/(action|snapshot)\.ts|catalog\/catalog\.json|lib\/.+\.(ts|json)|ui\/panel\.html)$/;

/** A program of somebody who has read the documentation. It is run without a single permission. */
const STRANGER = `
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { checkCall, createServer, loadActions, resolveConfig } from "@snowluma-deno/mcp";

const [ban] = (await loadActions()).search("mute member", "keywords");
if (ban === undefined) throw new Error("not found");
const { missing } = await checkCall(ban, { group_id: 20001 }, "en");
const [here, there] = InMemoryTransport.createLinkedPair();
await using server = createServer(resolveConfig({ flags: {}, environment: {} }));
await server.connect(there);
const client = new Client({ name: "stranger", version: "1" });
await client.connect(here);
const { contents } = await client.readResource({ uri: "snowluma://onebot/actions" });
console.log(ban.name, missing.join(), contents.length);
await client.close();
await server.closed;
`;

/** Runs Deno with what is cached alone. */
async function deno(cwd: string, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd, stdin: "null", env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("the package publishes, with what it needs and nothing else, and works on its own", async () => {
  verifies("library-publish", "library");
  const { code, out, err } = await deno(ROOT, "publish", "--dry-run", "--allow-dirty");
  strictEqual(code, 0, err);
  const root = `file://${ROOT}`;
  const files = [...`${out}${err}`.matchAll(/^\s+(file:\/\/\S+) \(/gm)].map(([, url = ""]) => url.slice(root.length));
  deepStrictEqual(files.filter((path) => !ALLOWED.test(path)), [], "published without need");
  deepStrictEqual(WANTED.filter((path) => !files.includes(path)), [], "missing");

  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const path of files) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.copyFile(ROOT + path, join(folder, path));
    }
    await Deno.writeTextFile(join(folder, "stranger.ts"), STRANGER);
    const cached = ["--cached-only", "--no-lock"];
    const checked = await deno(
      folder,
      "check",
      ...cached,
      "main.ts",
      "lib/mod.ts",
      "lib/simulator/mod.ts",
      "stranger.ts",
    );
    strictEqual(checked.code, 0, checked.err);
    const version = await deno(folder, "run", "--no-prompt", ...cached, "main.ts", "--version");
    ok(version.code === 0 && version.out.startsWith("snowluma-mcp "), version.out + version.err);
    const told = await deno(folder, "run", "--no-prompt", ...cached, "stranger.ts");
    deepStrictEqual(told, { code: 0, out: "set_group_ban user_id 1\n", err: "" }, told.err);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
