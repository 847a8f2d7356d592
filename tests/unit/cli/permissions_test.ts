import { deepStrictEqual, throws } from "node:assert/strict";
import { flagsOf, grantsOf } from "../../../lib/cli/grants.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

const SETTINGS = "SNOWLUMA_MCP_*";
const SOCKET = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
const PROXIES = "HTTP_PROXY,http_proxy,HTTPS_PROXY,https_proxy,ALL_PROXY,all_proxy";
const BOT = { endpoint: "http://127.0.0.1:3000/" };
const WRITE = { ...BOT, mode: "write", "stream-dir": "/d" };
const NET = "--allow-net=127.0.0.1:3000";
const CALLS = [`--allow-env=${SETTINGS},${PROXIES}`, NET];

/** Settings as flags, and the flags of `deno run` for them. */
const CASES: ReadonlyArray<{
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly tempDir?: string;
  readonly files?: readonly string[];
  readonly flags: readonly string[];
}> = [
  { name: "docs mode", settings: {}, flags: [`--allow-env=${SETTINGS}`] },
  {
    name: "docs mode, whatever else is set",
    settings: { ...WRITE, mode: "docs", "events-url": "ws://127.0.0.1:3001/", "upload-root": "/u", "task-dir": "/t" },
    flags: [`--allow-env=${SETTINGS}`],
  },
  { name: "read mode", settings: BOT, flags: CALLS },
  { name: "read mode, folders without use", settings: { ...BOT, "upload-root": "/u", "task-dir": "/t" }, flags: CALLS },
  {
    name: "read mode with events",
    settings: { ...BOT, "events-url": "wss://bot.example/events" },
    flags: [`--allow-env=${SETTINGS},${SOCKET},${PROXIES}`, `${NET},bot.example:443`],
  },
  {
    name: "events from where calls go",
    settings: { ...BOT, "events-url": "ws://127.0.0.1:3000/" },
    flags: [`--allow-env=${SETTINGS},${SOCKET},${PROXIES}`, NET],
  },
  {
    name: "the spelling of the address",
    settings: { endpoint: "http://LOCALHOST/api", "events-url": "ws://[0:0:0:0:0:0:0:1]:3001/" },
    flags: [`--allow-env=${SETTINGS},${SOCKET},${PROXIES}`, "--allow-net=localhost:80,[::1]:3001"],
  },
  {
    name: "the simulator, which finds its own port",
    settings: { endpoint: "simulator", "events-url": "simulator" },
    flags: [`--allow-env=${SETTINGS},${SOCKET},${PROXIES}`, "--allow-net=127.0.0.1"],
  },
  {
    name: "write mode with a download folder",
    settings: WRITE,
    flags: [...CALLS, "--allow-read=/d", "--allow-write=/d"],
  },
  {
    name: "write mode with an upload root, which is only read",
    settings: { ...WRITE, "upload-root": "/u" },
    flags: [...CALLS, "--allow-read=/d,/u", "--allow-write=/d"],
  },
  {
    name: "write mode with a task folder",
    settings: { ...WRITE, "task-dir": "/t" },
    flags: [...CALLS, "--allow-read=/d,/t", "--allow-write=/d,/t"],
  },
  {
    name: "write mode with everything",
    settings: { ...WRITE, "events-url": "ws://127.0.0.1:3001/", "upload-root": "/u", "task-dir": "/t" },
    flags: [
      `--allow-env=${SETTINGS},${SOCKET},${PROXIES}`,
      `${NET},127.0.0.1:3001`,
      "--allow-read=/d,/u,/t",
      "--allow-write=/d,/t",
    ],
  },
  {
    name: "write mode with the default folder",
    settings: { ...BOT, mode: "write" },
    tempDir: "/tmp",
    flags: [...CALLS, "--allow-read=/tmp/onebot-mcp-downloads", "--allow-write=/tmp/onebot-mcp-downloads"],
  },
  {
    name: "write mode with the default folder where TMPDIR says",
    settings: { ...BOT, mode: "write" },
    tempDir: "/scratch",
    flags: [
      `--allow-env=${SETTINGS},TMPDIR,${PROXIES}`,
      NET,
      "--allow-read=/scratch/onebot-mcp-downloads",
      "--allow-write=/scratch/onebot-mcp-downloads",
    ],
  },
  {
    name: "write mode with a folder, wherever TMPDIR says",
    settings: WRITE,
    tempDir: "/scratch",
    flags: [...CALLS, "--allow-read=/d", "--allow-write=/d"],
  },
  {
    name: "files with settings, which are read before the folders",
    settings: WRITE,
    files: ["/c.json", "/token"],
    flags: [...CALLS, "--allow-read=/c.json,/token,/d", "--allow-write=/d"],
  },
  {
    name: "files with settings in docs mode",
    settings: {},
    files: ["/c.json"],
    flags: [`--allow-env=${SETTINGS}`, "--allow-read=/c.json"],
  },
];

Deno.test({
  name: "flagsOf(grantsOf()) gives exactly what the settings need",
  ignore: Deno.build.os !== "linux", // other systems have more spellings of a folder, and other variables
}, async (t) => {
  verifies("sandbox-flags", "sandbox-exact");
  for (const { name, settings, tempDir, files = [], flags } of CASES) {
    await t.step(name, () => {
      const config = resolveConfig({ flags: settings, environment: {}, ...(tempDir !== undefined && { tempDir }) });
      deepStrictEqual(flagsOf(grantsOf(config, files)), flags);
    });
  }
});

Deno.test("flagsOf() refuses a file with a comma in its path, which would grant two others", () => {
  verifies("sandbox-flags");
  const grants = grantsOf(resolveConfig({ flags: {}, environment: {} }), ["/token", "/a,b/c"]);
  throws(() => flagsOf(grants), (error) => error instanceof UsageError && error.message.includes('"/a,b/c"'));
});
