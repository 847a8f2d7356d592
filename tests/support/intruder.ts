/** A bug or a break-in, played: tries what a sandboxed server may not do, from inside of it, and tells how each try ended. */
import { createConnection } from "node:net";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import type { Message } from "./server_process.ts";

/** What it goes for. Only the controls may succeed, and only in modes that need them. */
export interface Targets {
  /** Holds the folders, and is granted itself by nobody. */
  readonly top: string;
  readonly uploads: string;
  readonly downloads: string;
  readonly tasks: string;
  /** Ports on 127.0.0.1: of the bot, and of somebody else. */
  readonly bot: number;
  readonly elsewhere: number;
  /** Throws at the end, where nobody catches it. */
  readonly fails?: "error" | "rejection";
}

/** How each try ended: `done`, `NotCapable`, or else what was said. */
export type Report = Readonly<Record<string, string>>;

/** What stands before a report on standard error. */
const MARK = "intruder: ";

/** The one setting of text that reaches every mode and the worker, so targets are carried by it: visible ASCII. */
export const CARRIER = "SNOWLUMA_MCP_EVENTS_TOKEN";

/** Packs targets for {@link CARRIER}. */
export function pack(targets: Targets): string {
  return new TextEncoder().encode(JSON.stringify(targets)).toBase64();
}

/** Unpacks them. */
export function unpack(text = ""): Targets {
  return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(text)));
}

/** The report in what a process left on standard error. */
export function reportIn(stderr: string): Report {
  const line = stderr.split("\n").find((each) => each.startsWith(MARK));
  if (line === undefined) throw new Error(`no report in ${stderr}`);
  return JSON.parse(line.slice(MARK.length));
}

/** Tries everything, and reports in one line on standard error. */
export async function intrude(targets: Targets): Promise<void> {
  const report: Record<string, string> = {};
  for (const [what, attempt] of Object.entries({ ...controls(targets), ...attempts(targets) })) {
    report[what] = await outcomeOf(attempt);
  }
  report["ask for more"] = await askForMore(targets.top);
  Deno.stderr.writeSync(new TextEncoder().encode(`${MARK}${JSON.stringify(report)}\n`));
  if (targets.fails === "error") setTimeout(() => throwError());
  if (targets.fails === "rejection") Promise.reject(new Error("rejected by the intruder"));
}

type Attempts = Record<string, () => unknown>;

/** What the configuration grants, as far as the mode needs it. */
export const CONTROLS = {
  bot: "connect to the bot",
  fetch: "fetch from the bot",
  read: "read in the upload root",
  download: "write in the download folder",
  task: "write in the task folder",
  link: "read through a link that leads out of the upload root",
} as const;

function controls({ uploads, downloads, tasks, bot }: Targets): Attempts {
  const rewrite = async (path: string): Promise<void> => {
    await Deno.writeTextFile(path, "intruder");
    await Deno.readTextFile(path);
    await Deno.remove(path);
  };
  return {
    [CONTROLS.bot]: async () => (await Deno.connect({ hostname: "127.0.0.1", port: bot })).close(),
    [CONTROLS.fetch]: async () => await (await fetch(`http://127.0.0.1:${bot}/get_status`)).body?.cancel(),
    [CONTROLS.read]: () => Deno.readTextFile(`${uploads}/inside.txt`),
    [CONTROLS.download]: () => rewrite(`${downloads}/intruder.txt`),
    [CONTROLS.task]: () => rewrite(`${tasks}/intruder.txt`),
    [CONTROLS.link]: () => Deno.readTextFile(`${uploads}/link.txt`),
  };
}

/** What nobody granted. */
function attempts({ top, uploads, downloads, tasks, bot, elsewhere }: Targets): Attempts {
  return {
    "read /etc/passwd": () => Deno.readTextFile("/etc/passwd"),
    "read /etc/passwd by node:fs": () => readFileSync("/etc/passwd"),
    "read the environment by /proc": () => Deno.readFile("/proc/self/environ"),
    "read beside the upload root": () => Deno.readTextFile(`${top}/secret.txt`),
    "read above the upload root": () => Deno.readTextFile(`${uploads}/../secret.txt`),
    "list above the upload root": () => Deno.readDirSync(top).next(),
    "look at what lies beside it": () => Deno.lstat(`${top}/secret.txt`),
    "write beside the task folder": () => Deno.writeTextFile(`${tasks}.intruder`, ""),
    "write into the upload root": () => Deno.writeTextFile(`${uploads}/intruder.txt`, ""),
    "rename out of the download folder": () => Deno.rename(`${downloads}/kept.txt`, `${top}/stolen.txt`),
    "link a file from outside": () => Deno.link(`${top}/secret.txt`, `${downloads}/linked.txt`),
    "make a symbolic link": () => Deno.symlink(`${top}/secret.txt`, `${downloads}/linked.txt`),
    "make a temporary file": () => Deno.makeTempFile(),
    "connect elsewhere": () => Deno.connect({ hostname: "127.0.0.1", port: elsewhere }),
    "connect elsewhere by node:net": () => connectByNode(elsewhere),
    "connect to the bot as localhost": () => Deno.connect({ hostname: "localhost", port: bot }),
    "fetch from elsewhere": () => fetch(`http://127.0.0.1:${elsewhere}/`),
    "open a WebSocket elsewhere": () => new WebSocket(`ws://127.0.0.1:${elsewhere}/`),
    "listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    "listen on every address": () => Deno.listen({ hostname: "0.0.0.0", port: 0 }).close(),
    "listen on a socket file": () => Deno.listen({ transport: "unix", path: `${top}/socket` }),
    "look up a name": () => Deno.resolveDns("localhost", "A"),
    "start a program": () => new Deno.Command(Deno.execPath()).output(),
    "start a program by node:child_process": () => spawnByNode(),
    "signal another process": () => Deno.kill(1, "SIGCONT"),
    "read PATH": () => Deno.env.get("PATH"),
    "read the whole environment": () => Deno.env.toObject(),
    "set a variable": () => Deno.env.set("LD_PRELOAD", "x"),
    "ask for the host's name": () => Deno.hostname(),
    "ask for its addresses": () => Deno.networkInterfaces(),
    "load a library": () => Deno.dlopen("libc.so.6", {}),
    "start a worker with more": () => startWorker(),
    "import a file": () => import(["file://", top, "/module.js"].join("")),
    "import from a code host": () => import(["https://", "jsr.io/intruder.js"].join("")),
    "import from elsewhere": () => import(["http://127.0.0.1:", elsewhere, "/module.js"].join("")),
  };
}

async function outcomeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "done";
  } catch (error) {
    const { name, code, message } = error as Message;
    if (name === "NotCapable" || /^Requires \w+ access/.test(message)) return "NotCapable"; // of imports it is the message
    return code ?? `${name}: ${message}`;
  }
}

function connectByNode(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  createConnection({ host: "127.0.0.1", port }).on("connect", resolve).on("error", reject);
  return promise;
}

function spawnByNode(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  spawn(Deno.execPath()).on("spawn", resolve).on("error", reject);
  return promise;
}

function startWorker(): void {
  const url = "data:application/javascript,";
  new Worker(url, { type: "module", deno: { permissions: { read: true, net: true, run: true } } }).terminate();
}

/** A prompt would take the terminal, or wait forever. */
async function askForMore(path: string): Promise<string> {
  const asked = [{ name: "read", path }, { name: "run" }, { name: "net" }, { name: "sys" }] as const;
  const states = await Promise.all(asked.map(async (each) => (await Deno.permissions.request(each)).state));
  return [...new Set(states)].join();
}

function throwError(): never {
  throw new Error("thrown by the intruder");
}
