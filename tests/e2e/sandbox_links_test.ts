/** Links: how far the runtime follows them, and where the fence refuses; folders that are links themselves. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { launch } from "../support/launched.ts";
import type { Message } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
import { denoRun, flagsFor, makeSandboxFolders, writeEnv } from "./sandbox_support.ts";
import { successOf, type TaskFolders, TaskServer } from "./task_support.ts";
import { downloadArgs, list, makeFolders, resultOf, uploadArgs } from "./transfer_support.ts";

const ignore = Deno.build.os === "windows";

/** A server with exactly the printed flags. */
async function serverFor(env: Record<string, string>): Promise<TaskServer> {
  return new TaskServer({ env, grants: (await flagsFor(env)).filter((flag) => flag !== "--no-prompt") });
}

Deno.test({ name: "a link out of the upload root: the runtime follows it, the fence refuses it", ignore }, async () => {
  verifies("sandbox-links");
  await using folders = await makeSandboxFolders();
  await using simulator = await startSimulator();
  const env = writeEnv(folders, simulator.url);
  const link = join(folders.uploads, "link.txt");
  const read = `data:application/javascript,Deno.stdout.writeSync(Deno.readFileSync(${JSON.stringify(link)}))`;
  const { stdout, stderr } = await launch(denoRun(await flagsFor(env), env, [], read), "");
  strictEqual(stdout, "secret", stderr); // the layer that ends there; for the binary the intruder shows it
  await using server = await serverFor(env);
  const { kind } = failureOf(await server.tool("invoke_action", uploadArgs(link)));
  strictEqual(kind, "input_file");
  resultOf(await server.tool("invoke_action", uploadArgs(join(folders.uploads, "inside.txt"))));
  const sent = simulator.requests.map(({ params }) => (params as Message).chunk_data).filter((data) =>
    data !== undefined
  );
  deepStrictEqual(sent, [btoa("inside")]);
});

/** Folders that are reached by links: each one itself, or the one above. */
async function makeLinked(where: "itself" | "above"): Promise<TaskFolders & { real: TaskFolders }> {
  const real = await makeSandboxFolders();
  const links = join(real.top, "links");
  if (where === "above") await Deno.symlink(real.top, links);
  else {
    await Deno.mkdir(links);
    for (const name of ["down", "up", "tasks"]) await Deno.symlink(join(real.top, name), join(links, name));
  }
  const [downloads, uploads, tasks] = ["down", "up", "tasks"].map((name) => join(links, name)) as [
    string,
    string,
    string,
  ];
  return { ...real, downloads, uploads, tasks, real };
}

/** Takes a file each way, and a task, through folders that are reached by links. */
async function useLinked(folders: TaskFolders & { real: TaskFolders }, grants: readonly string[]): Promise<void> {
  await using simulator = await startSimulator();
  const net = `--allow-net=127.0.0.1:${simulator.port}`;
  await using server = new TaskServer({ env: writeEnv(folders, simulator.url), grants: [...grants, net] });
  resultOf(await server.tool("invoke_action", downloadArgs(generatedFile(1000))));
  strictEqual((await list(folders.real.downloads)).length, 1);
  resultOf(await server.tool("invoke_action", uploadArgs(join(folders.uploads, "inside.txt"))));
  successOf(await server.settled((await server.begin(downloadArgs(generatedFile(2000)))).taskId));
  await server.finish();
}

for (const where of ["itself", "above"] as const) {
  Deno.test(
    { name: `a binary uses folders by a link in their path (${where})`, ignore: ignore || !IS_BINARY },
    async () => {
      verifies("sandbox-links", "sandbox-worker");
      await using folders = await makeLinked(where);
      await useLinked(folders, []);
    },
  );

  Deno.test({
    name: `deno run is told what to grant for a link in a folder's path (${where})`,
    ignore: ignore || IS_BINARY,
  }, async () => {
    verifies("sandbox-links", "sandbox-missing");
    await using folders = await makeLinked(where);
    const env = writeEnv(folders, "http://127.0.0.1:9/");
    const grants = (await flagsFor(env)).filter((flag) => flag !== "--no-prompt");
    for (const name of ["down", "up", "tasks"]) {
      const { code, stdout, stderr } = await launch(denoRun(["--no-prompt", ...grants], env));
      deepStrictEqual([code, stdout], [2, ""], stderr);
      const advised = stderr.match(/--allow-(?:read|write)=[^\s,]+/g) ?? [];
      const kinds = name === "up" ? ["read"] : ["read", "write"];
      deepStrictEqual(advised, kinds.map((kind) => `--allow-${kind}=${join(folders.top, name)}`));
      grants.push(...advised);
    }
    await useLinked(folders, grants);
  });
}

Deno.test({ name: "a default download folder that is a link leads nowhere", ignore }, async () => {
  verifies("sandbox-links", "download-default");
  await using folders = await makeFolders();
  await using simulator = await startSimulator();
  const elsewhere = join(folders.top, "elsewhere");
  await Deno.mkdir(elsewhere, { mode: 0o700 });
  await Deno.symlink(elsewhere, join(folders.top, "onebot-mcp-downloads"));
  const env = { SNOWLUMA_MCP_ENDPOINT: simulator.url, SNOWLUMA_MCP_MODE: "write", TMPDIR: folders.top };
  await using server = await serverFor(env);
  const { kind } = failureOf(await server.tool("invoke_action", downloadArgs(generatedFile(1000))));
  strictEqual(kind, "storage");
  await server.finish();
  match(await server.stderr, /warn: Cannot use the download folder .*onebot-mcp-downloads/);
  deepStrictEqual(await list(elsewhere), []);
});
