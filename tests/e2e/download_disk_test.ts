/** Disks that refuse: a full one, and a folder that is taken away under a running server. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { TextLineStream } from "@std/streams";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
import { envelope } from "./support.ts";
import * as support from "./transfer_support.ts";

const { download, downloadArgs, list, makeFolders, resultOf, transferServer } = support;

Deno.test({
  name: "a disk that takes no more fails the download, whose part goes, and the server goes on",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("download-part", "download-whole");
    await using folders = await makeFolders();
    await using bot = await startSimulator();
    const { command, args, env } = serverCommand(support.transferOptions(bot, folders));
    // a limit of 8 blocks (4 or 8 KiB) on every file that is written stands for a full disk
    const limited = ["-c", `trap "" XFSZ; ulimit -f 8; exec "$@"`, "sh", command, ...args];
    const streams = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    const child = new Deno.Command("sh", { args: limited, env, clearEnv: true, ...streams }).spawn();
    const input = child.stdin.getWriter();
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
    const call = async (id: string, size: number): Promise<Message> => {
      const params = { name: "invoke_action", arguments: downloadArgs(generatedFile(size)), _meta: envelope() };
      const line = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
      await input.write(new TextEncoder().encode(`${line}\n`));
      return JSON.parse((await lines.read()).value ?? "{}");
    };
    try {
      for (const size of [100_000, 9000]) {
        const { outcome, kind, message, next_step } = failureOf(await call(`large ${size}`, size));
        deepStrictEqual([outcome, kind], ["failed", "storage"]);
        match(message, /^Cannot store the download: File too large/);
        match(next_step, /disk/);
        deepStrictEqual(await list(folders.downloads), []);
      }
      resultOf(await call("small", 1000));
      deepStrictEqual(await list(folders.downloads), ["1000.bin"]);
    } finally {
      await input.close();
      strictEqual((await child.status).code, 0);
      await lines.cancel();
    }
  },
});

Deno.test("a folder that is removed under a running server is made again, or its download fails", async () => {
  verifies("download-folder", "download-part");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders);
  await Deno.remove(folders.downloads);
  resultOf(await download(server, "again", generatedFile(10)));
  await Deno.remove(folders.downloads, { recursive: true });
  await Deno.writeTextFile(folders.downloads, "");
  strictEqual(failureOf(await download(server, "no more", generatedFile(10))).kind, "storage");
});
