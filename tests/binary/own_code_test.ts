/** The binary's code and texts are its own: it opens no others, and writes nothing. */
import { join } from "@std/path";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { ASK_FOR_TOOLS, can, launch } from "../support/launched.ts";
import { MAIN } from "../support/server_process.ts";

const CAN_TRACE = Deno.build.os === "linux" && await can("strace", "-qq", "-o", "/dev/null", "true");

/** What the system's loader, its C library and the engine look at in any program. */
const OF_THE_SYSTEM = [
  /^\/(usr\/)?lib(64)?\/([\w.+-]+\/)?[\w.+-]+\.so(\.\d+)*$/,
  /^\/etc\/(ld\.so\.(cache|preload)|localtime)$/,
  /^\/usr\/(lib\/locale|share\/(locale|zoneinfo))\//,
  /^\/usr\/lib\/([\w-]+\/)?gconv\//,
  /^\/(proc|sys)\//,
  /^\/dev\/(null|zero|u?random)$/,
];

/** Code that somebody left where a program could take it for its own. */
async function layBait(folder: string): Promise<void> {
  const code = 'Deno.stderr.writeSync(new TextEncoder().encode("taken\\n"));';
  // where a compiled program says that its modules lie; nothing of it is on the disk
  const inside = join(folder, `deno-compile-${BINARY.split(/[\\/]/).at(-1)}`);
  await Deno.mkdir(inside);
  for (const place of [folder, inside]) {
    for (const name of ["main.js", "worker.js", "main.ts"]) await Deno.writeTextFile(join(place, name), code);
    for (const name of ["deno.json", "package.json"]) await Deno.writeTextFile(join(place, name), "{oops");
    await Deno.writeTextFile(join(place, ".env"), "SNOWLUMA_MCP_MODE=admin\n");
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    files.push(name, ...isDirectory ? (await filesBelow(join(folder, name))).map((below) => join(name, below)) : []);
  }
  return files.sort();
}

for (const [mode, args] of [["docs", []], ["read", ["--endpoint=simulator"]]] as const) {
  Deno.test({
    name: `in ${mode} mode the binary opens no code but its own, and writes to no file`,
    ignore: !IS_BINARY || !CAN_TRACE,
  }, async () => {
    verifies("binary-own-code");
    const folder = await Deno.makeTempDir({ prefix: "snowluma-own-" });
    try {
      await layBait(folder);
      const before = await filesBelow(folder);
      const env = { TMPDIR: folder, HOME: folder, DENO_DIR: folder };
      const trace = `${folder}-trace`;
      const traced = ["-f", "-qq", "-y", "-s", "4096", "-o", trace, "-e", "trace=%file", BINARY, ...args];
      const { code, stdout, stderr } = await launch({ command: "strace", args: traced, env, cwd: folder });
      const lines = (await Deno.readTextFile(trace)).split("\n");
      await Deno.remove(trace);
      deepStrictEqual([code, stderr], [0, ""]);
      strictEqual(stdout.trimEnd().split("\n").length, 2);
      deepStrictEqual(await filesBelow(folder), before);

      const opened = lines.flatMap((line) => /\bopen(?:at2?)?\((?:AT_FDCWD[^,]*, )?"([^"]*)"/.exec(line)?.[1] ?? []);
      ok(opened.length > 10, "the trace shows nothing");
      const strangers = opened.filter((path) => path !== BINARY && !OF_THE_SYSTEM.some((known) => known.test(path)));
      deepStrictEqual(strangers, []);
      ok(opened.includes(BINARY), "the code is read from the binary");

      const changes =
        /\b(open\w*\(.*O_(WRONLY|RDWR|CREAT|TRUNC)|(mkdir|mknod|rename|unlink|link|symlink|chmod|truncate|rmdir)\w*\()/;
      deepStrictEqual(lines.filter((line) => changes.test(line) && !line.includes('"/dev/null"')), []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** What a server answers to the same questions; the addresses of processes and the like are in none of them. */
async function answersOf(command: string, args: readonly string[]): Promise<Map<number, string>> {
  const reading = ["snowluma://onebot/actions", ...await panelAddress(command, args)].map((uri, index) => ({
    jsonrpc: "2.0",
    id: index + 10,
    method: "resources/read",
    params: { uri },
  }));
  const questions = [...reading, { jsonrpc: "2.0", id: 20, method: "resources/list" }];
  const input = SHOWS_PANELS + questions.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { code, stdout, stderr } = await run(command, args, input);
  strictEqual(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  return new Map(lines.map((line) => [JSON.parse(line).id as number, line]));
}

/** The handshake of a client that shows panels, who gets to see the panel's address. */
const SHOWS_PANELS = ASK_FOR_TOOLS.replace(
  '"capabilities":{}',
  '"capabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}',
);

async function panelAddress(command: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(command, args, SHOWS_PANELS);
  return [...new Set(stdout.match(/ui:\/\/[^"\\]+/g))];
}

/** Deno needs to find its cache. */
function run(command: string, args: readonly string[], input: string): ReturnType<typeof launch> {
  const names = ["HOME", "DENO_DIR", "XDG_CACHE_HOME"].filter((name) => Deno.env.get(name) !== undefined);
  return launch(
    { command, args, env: Object.fromEntries(names.map((name) => [name, Deno.env.get(name) ?? ""])) },
    input,
  );
}

Deno.test({
  name: "tools, their schemas, the catalog and the panel are byte for byte those of the source",
  ...NEEDS_BINARY,
}, async () => {
  verifies("binary-own-code");
  const env = "HTTP_PROXY,http_proxy,HTTPS_PROXY,https_proxy,ALL_PROXY,all_proxy,SNOWLUMA_MCP_*," +
    "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
  const grants = [`--allow-env=${env}`, "--allow-net=127.0.0.1"];
  const simulator = ["--endpoint=simulator", "--events-url=simulator"];
  for (const args of [[], ["--lang=zh"], [...simulator, "--mode=read"]]) {
    const ofBinary = await answersOf(BINARY, args);
    const ofSource = await answersOf(Deno.execPath(), ["run", "--no-prompt", ...grants, MAIN, ...args]);
    deepStrictEqual([...ofBinary.keys()].sort(), [1, 10, 11, 2, 20]);
    for (const [id, answer] of ofSource) strictEqual(ofBinary.get(id), answer, `${args}: ${id}`);
    ok((ofBinary.get(10) ?? "").length > 100_000 && (ofBinary.get(11) ?? "").length > 100_000);
  }
});
