/** Folders at start: what was set and cannot be used ends it, and modes that have no transfers touch nothing. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { botEnv } from "./exec_support.ts";
import { runCommand } from "./support.ts";
import { bits, fileGrants, type Folders, isRoot, list, makeFolders } from "./transfer_support.ts";

const BOT = { url: "http://127.0.0.1:9/" };

/** A start that has to be refused: the setting, its value below the top folder, and what is said. */
interface Refused {
  readonly name: string;
  readonly setting: "STREAM_DIR" | "UPLOAD_ROOT";
  readonly path: string;
  readonly says: RegExp;
  /** All of the top folder unless given; the binary has what it needs. */
  readonly grants?: (path: string, top: string) => string[];
  readonly prepare?: (path: string) => Promise<unknown>;
  readonly asRoot?: true;
}

const REFUSED: readonly Refused[] = [
  { name: "a download folder that is a file", setting: "STREAM_DIR", path: "file", says: /it is not a directory/ },
  {
    name: "a download folder below a file",
    setting: "STREAM_DIR",
    path: "file/below",
    says: /ENOTDIR|not a directory/i,
  },
  {
    name: "a download folder that others may write to",
    setting: "STREAM_DIR",
    path: "open",
    says: /its group or others may write to it/,
    prepare: async (path) => {
      await Deno.mkdir(path);
      await Deno.chmod(path, 0o770);
    },
  },
  {
    name: "a download folder of another user",
    setting: "STREAM_DIR",
    path: "theirs",
    says: /it belongs to another user/,
    prepare: async (path) => {
      await Deno.mkdir(path, { mode: 0o700 });
      await Deno.chown(path, 12_345, null);
    },
    asRoot: true,
  },
  {
    name: "a download folder that may not be written to",
    setting: "STREAM_DIR",
    path: "down",
    says: /the permission is missing; add --allow-write=\S+\/down,/,
    grants: (path, top) => fileGrants([path], [`${top}/up`]),
  },
  {
    name: "a download folder that may not be read",
    setting: "STREAM_DIR",
    path: "down",
    says: /the permission is missing; add --allow-read=\S+\/down,/,
    grants: (path, top) => fileGrants([`${top}/up`], [path]),
  },
  {
    name: "a download folder that leads elsewhere by a link",
    setting: "STREAM_DIR",
    path: "link",
    says: /add --allow-read=\S+\/up --allow-write=\S+\/up,/,
    grants: (path) => fileGrants([path], [path]),
    prepare: (path) => Deno.symlink("up", path),
  },
  { name: "an upload root that is absent", setting: "UPLOAD_ROOT", path: "none", says: /ENOENT/ },
  { name: "an upload root that is a file", setting: "UPLOAD_ROOT", path: "file", says: /it is not a directory/ },
  {
    name: "an upload root that may not be read",
    setting: "UPLOAD_ROOT",
    path: "up",
    says: /the permission is missing; add --allow-read=\S+\/up,/,
    grants: (_, top) => fileGrants([`${top}/down`], [`${top}/down`]),
  },
];

function environment({ top }: Folders, settings: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(settings).map(([setting, path]) => [`SNOWLUMA_MCP_${setting}`, join(top, path)]);
  return botEnv(BOT, { env: Object.fromEntries(named) });
}

for (const { name, setting, path, says, grants, prepare, asRoot = false } of REFUSED) {
  Deno.test({
    name: `${name} ends the start with exit code 2 and one sentence`,
    ignore: Deno.build.os === "windows" || (asRoot && !await isRoot()) || (IS_BINARY && grants !== undefined),
    fn: async () => {
      verifies("download-folder", "upload-root", "config-invalid", "no-prompt");
      await using folders = await makeFolders();
      const { top } = folders;
      await Deno.writeTextFile(join(top, "file"), "");
      await prepare?.(join(top, path));
      const { code, stdout, stderr } = await runCommand([], {
        env: environment(folders, { STREAM_DIR: "down", [setting]: path }),
        grants: grants?.(join(top, path), top) ?? fileGrants([top], [top]),
      });
      deepStrictEqual([code, stdout], [2, ""], stderr);
      match(stderr, says);
      ok(stderr.includes(JSON.stringify(join(top, path))) && stderr.includes(`SNOWLUMA_MCP_${setting}`), stderr);
      match(stderr, /^snowluma-mcp: [^\n]*[^.]\.\n$/);
      ok(!/\. [A-Z]/.test(stderr), `more than one sentence: ${stderr}`);
    },
  });
}

Deno.test("a relative folder is refused, as a flag and in the environment", async () => {
  verifies("download-folder", "upload-root", "config-invalid");
  for (const [env, flag] of [["STREAM_DIR", "--stream-dir"], ["UPLOAD_ROOT", "--upload-root"]] as const) {
    const starts = [
      { args: [flag, "down"], env: botEnv(BOT), as: flag },
      { args: [], env: botEnv(BOT, { env: { [`SNOWLUMA_MCP_${env}`]: "./down" } }), as: `SNOWLUMA_MCP_${env}` },
    ];
    for (const { args, as, ...options } of starts) {
      const { code, stderr } = await runCommand(args, options);
      strictEqual(code, 2);
      ok(stderr.includes(as) && stderr.includes("absolute path"), stderr);
    }
  }
});

Deno.test("folders are made and checked in write mode alone", async () => {
  verifies("download-folder", "download-default");
  for (const mode of ["docs", "read", "write"] as const) {
    await using folders = await makeFolders();
    const { top, downloads } = folders;
    const { code, stderr } = await runCommand([], {
      env: { ...environment(folders, { STREAM_DIR: "down", UPLOAD_ROOT: "up" }), SNOWLUMA_MCP_MODE: mode },
      grants: fileGrants([top], [top]),
    });
    deepStrictEqual([code, stderr], [0, ""]);
    deepStrictEqual(await list(top), mode === "write" ? ["down", "up"] : ["up"]);
    if (mode === "write") strictEqual(await bits(downloads), 0o700);
    if (mode === "write") continue;
    const bad = await runCommand([], {
      env: { ...environment(folders, { STREAM_DIR: "up/none", UPLOAD_ROOT: "none" }), SNOWLUMA_MCP_MODE: mode },
      grants: fileGrants([top], [`${top}/none`]),
    });
    deepStrictEqual([bad.code, bad.stderr], [0, ""], "they have no use for it");
  }
});
