/**
 * The program with an intruder in it, in the place of `main.ts` and `main_binary.ts`. Where there is no worker it
 * begins as soon as the process is prepared: in docs mode without grants, otherwise without proxies.
 */
import { run } from "../../lib/cli/run.ts";
import { inWorker } from "../../lib/sandbox/launch.ts";
import { CARRIER, intrude, unpack } from "./intruder.ts";

const isDocs = Deno.env.get("SNOWLUMA_MCP_MODE") === "docs";
const hasWorker = Deno.build.standalone && !isDocs;
const carried = Deno.env.get(CARRIER); // without it this is the program as it is
const running = run(
  Deno.args,
  Deno.build.standalone ? { elsewhere: inWorker(new URL("./worker.js", import.meta.url)) } : {},
);
if (!hasWorker && carried !== undefined) {
  while (!await isPrepared()) await new Promise((resolve) => setTimeout(resolve));
  await intrude(unpack(carried));
}
Deno.exit(await running);

async function isPrepared(): Promise<boolean> {
  const { state } = await Deno.permissions.query({ name: "env", variable: CARRIER });
  return isDocs ? state !== "granted" : Deno.env.get("HTTP_PROXY") === undefined;
}
