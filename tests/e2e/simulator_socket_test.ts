/** The simulator in a process of its own with exact permissions, and the WebSocket client of Deno at its socket. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { TextLineStream } from "@std/streams";
import { verifies } from "../requirements.ts";

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;
const MODULE = new URL("../../lib/simulator/mod.ts", import.meta.url).href;

/** Starts a simulator with the given options, says where it is, and closes it when standard input ends. */
const PROGRAM = `
import { startSimulator } from ${JSON.stringify(MODULE)};
const options = JSON.parse(Deno.args[0]);
const simulator = await startSimulator(options);
console.log(JSON.stringify({ url: simulator.url, wsUrl: simulator.wsUrl }));
for await (const _ of Deno.stdin.readable);
await simulator.close();
console.log("closed");
`;

interface Running extends AsyncDisposable {
  /** The next line of standard output; undefined at its end. */
  line(): Promise<string | undefined>;
  /** Ends standard input. */
  end(): Promise<void>;
  readonly stderr: Promise<string>;
  readonly status: Promise<Deno.CommandStatus>;
}

/** Runs {@link PROGRAM} with the given grants alone. */
async function run(options: unknown, grants: readonly string[]): Promise<Running> {
  const folder = await Deno.makeTempDir();
  const program = `${folder}/program.ts`;
  await Deno.writeTextFile(program, PROGRAM);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", `--config=${CONFIG}`, ...grants, program, JSON.stringify(options)],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  const stderr = new Response(child.stderr).text();
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  let ended = false;
  const end = async (): Promise<void> => {
    if (!ended) await child.stdin.close().catch(() => {});
    ended = true;
  };
  return {
    line: async () => (await lines.read()).value,
    end,
    stderr,
    status: child.status,
    async [Symbol.asyncDispose]() {
      await end();
      await child.status;
      await stderr;
      while (!(await lines.read()).done);
      clearTimeout(timer);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("startSimulator() needs no environment without a WebSocket", async () => {
  verifies("simulator-socket");
  await using program = await run({}, ["--allow-net=127.0.0.1"]);
  const { url, wsUrl } = JSON.parse(await program.line() ?? "");
  strictEqual(wsUrl, undefined);
  strictEqual((await (await fetch(url)).json()).data.online, true);
  await program.end();
  strictEqual(await program.line(), "closed");
  strictEqual((await program.status).code, 0);
});

Deno.test("startSimulator() fails at once when the environment is closed to its WebSocket", async () => {
  verifies("simulator-socket");
  await using program = await run({ wsPort: 0 }, ["--allow-net=127.0.0.1"]);
  strictEqual(await program.line(), undefined);
  strictEqual((await program.status).code, 1);
  match(await program.stderr, /WS_NO_BUFFER_UTIL/);
});

Deno.test("Deno's own client is greeted, calls, and hears the answer", async () => {
  verifies("simulator-socket");
  const grants = ["--allow-net=127.0.0.1", "--allow-env=WS_NO_BUFFER_UTIL"];
  await using program = await run({ wsPort: 0, wsToken: "t" }, grants);
  const { wsUrl } = JSON.parse(await program.line() ?? "");
  const socket = new WebSocket(`${wsUrl}?access_token=t`);
  const closed = new Promise<CloseEvent>((resolve) => socket.onclose = resolve);
  const frames: Record<string, unknown>[] = [];
  const answered = new Promise<Record<string, unknown>>((resolve) => {
    socket.onmessage = ({ data }) => {
      frames.push(JSON.parse(data));
      if (frames.at(-1)?.post_type === "message") resolve(frames.at(-1) ?? {});
    };
  });
  await new Promise((resolve) => socket.onopen = resolve);
  const params = { user_id: 11001, message: "Are you there?" };
  socket.send(JSON.stringify({ action: "send_private_msg", params, echo: "e" }));
  const { message } = await answered;
  ok(JSON.stringify(message).includes("You said: Are you there?"));
  const order = frames.map((frame) => frame.sub_type ?? frame.meta_event_type ?? frame.echo);
  deepStrictEqual(order, ["connect", "enable", "heartbeat", "e", "friend"]);
  await program.end();
  strictEqual((await closed).code, 1012);
  strictEqual(frames.at(-1)?.sub_type, "disable");
  strictEqual(await program.line(), "closed");
  strictEqual((await program.status).code, 0);
});
