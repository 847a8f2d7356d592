/** What the system sees of a binary that serves: whom it connects to, what it opens and writes, and whom it starts. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { join } from "@std/path";
import { makeSandboxFolders, writeEnv } from "../e2e/sandbox_support.ts";
import { downloadArgs, uploadArgs } from "../e2e/transfer_support.ts";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY } from "../support/binary.ts";
import type { Message } from "../support/server_process.ts";
import { can } from "../support/launched.ts";

const HAS_STRACE = Deno.build.os === "linux" && IS_BINARY && await can("strace", "-f", "-o", "/dev/null", "true");

/** What a process may look at anywhere: the system's own, and itself. */
const OWN = [/^\/(etc|lib|lib64|usr|proc|sys|dev)\//, /^\/?$/];
/** Calls that change something at a path. */
const CHANGES = /^(mkdir|unlink|rename|link|symlink|chmod|fchmodat|truncate|mknod|utimens)/;

/** One call of the system, such as `openat` of a path with flags. */
interface Call {
  readonly name: string;
  readonly text: string;
  readonly paths: readonly string[];
}

function callsIn(trace: string): Call[] {
  return trace.split("\n").flatMap((line) => {
    const [, name, text] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) return [];
    return [{ name, text, paths: [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = ""]) => path) }];
  });
}

Deno.test(
  { name: "a binary that serves touches nothing beyond its list, as the system sees it", ignore: !HAS_STRACE },
  async () => {
    verifies("sandbox-exact", "sandbox-worker");
    await using folders = await makeSandboxFolders();
    const { top, uploads, downloads, tasks } = folders;
    await using simulator = await startSimulator({ wsPort: 0 });
    const output = join(top, "trace");
    const client = new Client({ name: "traced", version: "1" }, {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    await client.connect(
      new StdioClientTransport({
        command: "strace",
        args: ["-f", "-qq", "-e", "trace=file,connect,bind,execve,fork,vfork", "-s", "4096", "-o", output, BINARY],
        env: { ...writeEnv(folders, simulator.url, simulator.wsUrl), PATH: Deno.env.get("PATH") ?? "" },
        stderr: "ignore",
      }),
    );
    try {
      const calls: ReadonlyArray<readonly [string, Message, boolean]> = [
        ["get_runtime_info", { check_connection: true }, true],
        ["invoke_action", downloadArgs(generatedFile(1000)), true],
        ["invoke_action", uploadArgs(join(uploads, "inside.txt")), true],
        ["invoke_action", uploadArgs(join(top, "secret.txt")), false],
        ["subscribe_events", { self_id: 10001 }, true],
      ];
      for (const [name, args, works] of calls) {
        const { isError = false, structuredContent } = await client.callTool({ name, arguments: args });
        strictEqual(isError, !works, JSON.stringify(structuredContent));
      }
    } finally {
      await client.close();
    }

    const seen = callsIn(await Deno.readTextFile(output));
    const within = (path: string, ...all: string[]) =>
      all.some((folder) => path === folder || path.startsWith(`${folder}/`));
    const looked = seen.filter(({ name }) => !/^(execve|connect|bind)$/.test(name)).flatMap(({ paths }) => paths);
    const above = [dirnames(top), dirnames(BINARY)].flat(); // on the way to a real path
    const strange = looked.filter((path) =>
      !OWN.some((own) => own.test(path)) && !within(path, uploads, downloads, tasks) && path !== BINARY &&
      !above.includes(path)
    );
    deepStrictEqual([...new Set(strange)], []);

    const changed = seen.filter(({ name, text }) =>
      CHANGES.test(name) || (name === "openat" && /O_(WRONLY|RDWR|CREAT)/.test(text))
    );
    ok(changed.length > 0);
    deepStrictEqual(
      changed.flatMap(({ paths }) => paths).filter((path) => !within(path, downloads, tasks, "/dev")),
      [],
    );

    const peers = seen.filter(({ name }) => name === "connect" || name === "bind").map(({ text }) =>
      /htons\((\d+)\)/.exec(text)?.[1]
    );
    const ports = [simulator.url, simulator.wsUrl].map((url) => new URL(url ?? "").port);
    deepStrictEqual([...new Set(peers)].sort(), ports.sort());
    strictEqual(seen.filter(({ name }) => /^(execve|v?fork)/.test(name)).length, 1, "it started a program");
  },
);

/** The folders that a path lies in. */
function dirnames(path: string): string[] {
  const parts = path.split("/").slice(1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}
