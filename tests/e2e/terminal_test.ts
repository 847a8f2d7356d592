/** On a real terminal (a pseudo-terminal of util-linux `script`): a notice, and never a question. */
import { ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { MAIN, PROXIES, serverCommand } from "../support/server_process.ts";

const HAS_SCRIPT = Deno.build.os === "linux" && await hasScript();

async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"], stderr: "null" }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** A program whose standard streams are a terminal; what it prints is watched as it comes. */
class Terminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #wake: () => void = () => {};
  #ended = false;
  screen = "";

  /** @param runtimeFlags Of `deno run`; the binary takes none. */
  constructor(runtimeFlags: readonly string[], args: readonly string[] = []) {
    const { command, env } = serverCommand();
    const program = IS_BINARY ? [command] : [command, "run", ...runtimeFlags, MAIN];
    const line = [...program, ...args].map((word) => `'${word}'`).join(" ");
    this.#child = new Deno.Command("script", {
      args: ["-q", "-e", "-f", "-E", "never", "-c", `stty -echo; exec ${line}`, "/dev/null"],
      env: { ...env, SHELL: "/bin/sh", TERM: "xterm" },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#keys = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.screen += text;
      this.#wake();
    }
    this.#ended = true;
    this.#wake();
  }

  async type(text: string): Promise<void> {
    await this.#keys.write(new TextEncoder().encode(text));
  }

  async shows(text: string): Promise<void> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    while (!this.screen.includes(text)) {
      ok(!this.#ended, `${JSON.stringify(text)} did not come; the screen shows ${JSON.stringify(this.screen)}`);
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    clearTimeout(timer);
  }

  async exit(): Promise<number> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    const { code } = await this.#child.status;
    await this.#reading;
    clearTimeout(timer);
    ok(!/\[y\/n|Allow\?|⚠|Deno requests/i.test(this.screen), `a question: ${this.screen}`);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended already
    }
    await this.#keys.close().catch(() => {});
    await this.#child.status;
    await this.#reading;
  }
}

/** With the flag that users are told to type, and as someone may run it who forgot it; the binary has it inside. */
const PROMPTING: Array<[name: string, flags: readonly string[]]> = [["--no-prompt", ["--no-prompt"]], ["no flag", []]];

Deno.test({
  name: "on a terminal the server says what it is waiting for, and Ctrl+C ends it with exit code 0",
  ignore: !HAS_SCRIPT,
  async fn() {
    verifies("terminal-notice", "shutdown");
    for (const mode of ["docs", "read"]) {
      const args = mode === "read" ? ["--endpoint", "simulator"] : [];
      const grants = ["--allow-env=SNOWLUMA_MCP_*", "--allow-net=127.0.0.1", PROXIES];
      await using terminal = new Terminal(["--no-prompt", ...grants], args);
      await terminal.shows(`in ${mode} mode, waiting for a client; Ctrl+C ends it`);
      await terminal.type("\x03");
      strictEqual(await terminal.exit(), 0, terminal.screen);
    }
  },
});

Deno.test({
  name: "on a terminal the end of input (Ctrl+D) ends the server with exit code 0",
  ignore: !HAS_SCRIPT,
  async fn() {
    verifies("terminal-notice", "shutdown");
    await using terminal = new Terminal(["--no-prompt", "--allow-env=SNOWLUMA_MCP_*"]);
    await terminal.shows("waiting for a client");
    await terminal.type("\x04");
    strictEqual(await terminal.exit(), 0, terminal.screen);
  },
});

for (const [name, flags] of PROMPTING) {
  Deno.test({
    name: `a missing grant for the endpoint never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt");
      const cases = [[["--allow-env=SNOWLUMA_MCP_*"], PROXIES], [
        ["--allow-env=SNOWLUMA_MCP_*", PROXIES],
        "--allow-net=127.0.0.1:3999",
      ]] as const;
      for (const [grants, missing] of cases) {
        await using terminal = new Terminal([...flags, ...grants], ["--endpoint", "http://127.0.0.1:3999/"]);
        strictEqual(await terminal.exit(), 2, terminal.screen);
        ok(terminal.screen.includes(`add ${missing}.`), terminal.screen);
      }
    },
  });

  Deno.test({
    name: `a missing grant for events never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt", "events-url");
      const cases = [
        ["ws://127.0.0.1:3998/", "--allow-net=127.0.0.1:3998"],
        ["ws://127.0.0.1:3999/", "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE"],
      ] as const;
      for (const [events, grant] of cases) {
        const grants = ["--allow-env=SNOWLUMA_MCP_*", "--allow-net=127.0.0.1:3999", PROXIES];
        await using terminal = new Terminal([...flags, ...grants], [
          ...["--endpoint", "http://127.0.0.1:3999/"],
          ...["--events-url", events],
        ]);
        strictEqual(await terminal.exit(), 2, terminal.screen);
        ok(terminal.screen.includes(`add ${grant}.`), terminal.screen);
      }
    },
  });

  Deno.test({
    name: `a missing grant for the task folder never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt", "tasks-private");
      const grants = ["--allow-env=SNOWLUMA_MCP_*", "--allow-net=127.0.0.1", PROXIES];
      await using terminal = new Terminal([...flags, ...grants], [
        ...["--endpoint", "simulator", "--mode", "write"],
        ...["--task-dir", "/var/nowhere"],
      ]);
      strictEqual(await terminal.exit(), 2, terminal.screen);
      ok(terminal.screen.includes("--allow-read=/var/nowhere --allow-write=/var/nowhere"), terminal.screen);
    },
  });

  Deno.test({
    name: `a missing grant for the simulator never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt");
      for (const [args, grant] of [[["--port=3999"], "127.0.0.1:3999."], [[], "127.0.0.1."]] as const) {
        await using terminal = new Terminal([...flags, "--allow-env=SNOWLUMA_MCP_*"], ["simulator", ...args]);
        strictEqual(await terminal.exit(), 2, terminal.screen);
        ok(terminal.screen.includes(`add --allow-net=${grant}`), terminal.screen);
        strictEqual(terminal.screen.trim().split("\n").length, 1, terminal.screen);
      }
    },
  });

  Deno.test({
    name: `a missing grant for the environment never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt", "sandbox-missing");
      const net = ["--allow-net=127.0.0.1:3999", PROXIES];
      await using terminal = new Terminal([...flags, ...net], ["--endpoint", "http://127.0.0.1:3999/"]);
      strictEqual(await terminal.exit(), 2, terminal.screen);
      ok(terminal.screen.includes("add --allow-env=SNOWLUMA_MCP_*."), terminal.screen);
      await using docs = new Terminal(flags);
      await docs.shows("waiting for a client");
      await docs.type("\x04");
      strictEqual(await docs.exit(), 0, docs.screen);
    },
  });

  Deno.test({
    name: `a missing grant for a file never asks on a terminal (${name})`,
    ignore: !HAS_SCRIPT || IS_BINARY,
    async fn() {
      verifies("no-prompt");
      for (const flag of ["--config", "--token-file", "--events-token-file"]) {
        await using terminal = new Terminal([...flags, "--allow-env=SNOWLUMA_MCP_*"], [flag, MAIN]);
        strictEqual(await terminal.exit(), 2, terminal.screen);
        ok(terminal.screen.includes("--allow-read"), terminal.screen);
      }
    },
  });
}

Deno.test("on a pipe the server says nothing of waiting", async () => {
  verifies("terminal-notice");
  const { command, args, env } = serverCommand();
  const { stderr, code } = await new Deno.Command(command, { args, env, clearEnv: true, stdin: "null" }).output();
  strictEqual(code, 0);
  strictEqual(new TextDecoder().decode(stderr), "");
});
