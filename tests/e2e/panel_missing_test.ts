/** An installation whose panel is missing or damaged: it serves, and says what is wrong where the panel is asked for. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { TextLineStream, toText } from "@std/streams";
import { dirname, join } from "@std/path";
import { verifies } from "../requirements.ts";
import { SHOWS_PANELS } from "../support/clients.ts";
import { NEEDS_SOURCE } from "../support/binary.ts";
import { MAIN, type Message, serverCommand } from "../support/server_process.ts";
import { envelope } from "./support.ts";

const ROOT = dirname(MAIN);
const PANEL = "ui://snowluma/message-preview.html";
const WHOLE = await Deno.readTextFile(join(ROOT, "ui/panel.html"));

/** What may have become of `ui/panel.html`, given its path. */
const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "is not there": (path) => Deno.remove(path),
  "is not there, nor its folder": (path) => Deno.remove(dirname(path), { recursive: true }),
  "is empty": (path) => Deno.writeTextFile(path, ""),
  "is cut in half": (path) => Deno.writeTextFile(path, WHOLE.slice(0, WHOLE.length / 2)),
  "is the end alone": (path) => Deno.writeTextFile(path, WHOLE.slice(WHOLE.length / 2)),
  "is a folder": async (path) => {
    await Deno.remove(path);
    await Deno.mkdir(path);
  },
};

const REQUESTS: Array<[method: string, params: Message]> = [
  ["tools/list", {}],
  ["resources/list", {}],
  ["resources/read", { uri: PANEL }],
  ["tools/call", {
    name: "preview_message",
    arguments: { message_type: "group", target_id: 20001, text: "hello" },
  }],
  ["tools/call", { name: "get_action", arguments: { name: "get_msg" } }],
];

/** A copy of what is packaged; disposing it takes it away. */
async function installation(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "snowluma-installation-" });
  for (const name of ["main.ts", "deno.json", "deno.lock", "lib", "catalog", "ui"]) {
    await copy(join(ROOT, name), join(path, name));
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}

/** Starts that installation, asks all of {@link REQUESTS} one after the other, and ends it. */
async function ask(root: string, isModern: boolean): Promise<{ answers: Message[]; code: number; stderr: string }> {
  const { command, args, env } = serverCommand();
  const own = args.map((arg) => arg === MAIN ? join(root, "main.ts") : arg);
  const options = { args: own, env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  await using child = new Deno.Command(command, options).spawn();
  const stderr = toText(child.stderr);
  const input = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  const request = async (id: number, method: string, params: Message): Promise<Message> => {
    await input.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
    const { value, done } = await output.read();
    if (done) throw new Error(`it ended at ${method}:\n${await stderr}`);
    return JSON.parse(value);
  };
  const capabilities = { extensions: SHOWS_PANELS };
  const clientInfo = { name: "raw", version: "1" };
  if (!isModern) await request(0, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  const _meta = isModern ? envelope({ clientCapabilities: capabilities }) : {};
  const answers: Message[] = [];
  for (const [index, [method, params]] of REQUESTS.entries()) {
    answers.push(await request(index + 1, method, { ...params, _meta }));
  }
  await input.close();
  const { code } = await child.status;
  return { answers, code, stderr: await stderr };
}

/** Lines that are not about calls. */
function remarks(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line !== "" && !line.startsWith("info: "));
}

for (const era of ["modern", "legacy"]) {
  const isModern = era === "modern";
  Deno.test({
    name: `an installation whose panel is damaged serves all the rest and names the file (${era})`,
    ...NEEDS_SOURCE, // the binary has it inside
  }, async (t) => {
    verifies("panel-missing", "eras-equal");
    await using sound = await installation();
    const whole = await ask(sound.path, isModern);
    strictEqual(whole.answers[2]?.result.contents[0].text, WHOLE);
    deepStrictEqual(remarks(whole.stderr), []);
    for (const [name, damage] of Object.entries(DAMAGES)) {
      await t.step(`ui/panel.html ${name}`, async () => {
        await using damaged = await installation();
        await damage(join(damaged.path, "ui/panel.html"));
        const { answers: [tools, resources, read, ...calls], code, stderr } = await ask(damaged.path, isModern);
        deepStrictEqual([tools, resources], whole.answers.slice(0, 2));
        deepStrictEqual(calls.map(structured), whole.answers.slice(3).map(structured));
        strictEqual(read?.error?.code, -32603, JSON.stringify(read)?.slice(0, 300));
        match(read.error.message, /^Cannot give .*: ui\/panel\.html is missing or damaged .*\. .*`deno task ui`/);
        strictEqual(code, 0);
        const [error = "", ...more] = remarks(stderr);
        match(error, /^error: .*ui\/panel\.html/);
        deepStrictEqual(more, []);
      });
    }
  });
}

function structured({ result }: Message): Message {
  return result.structuredContent;
}
