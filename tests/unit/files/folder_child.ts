/** Downloads to the folder given, as `support.ts` tells it to: `reserve N`, `free`, `download NAME`, `reclaim`. */
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import type { PartFile } from "../../../lib/files/part_file.ts";
import { Failure } from "../../../lib/errors.ts";
import { answerLines } from "./support.ts";

const [path = "", quota = "0", bytes = "0"] = Deno.args;
const held: PartFile[] = [];
let opened: Promise<DownloadFolder> | undefined;

async function run(line: string): Promise<unknown> {
  const folder = await (opened ??= DownloadFolder.open(path, { isDefault: true, quotaBytes: Number(quota) }));
  const [word, argument = ""] = line.split(" ");
  if (word === "reserve") return await reserveUpTo(folder, Number(argument));
  if (word === "reclaim") return await folder.reclaim();
  if (word === "free") return await Promise.all(held.splice(0).map((part) => part.discard()));
  await using part = await folder.reserve(Number(bytes));
  await part.write(new Uint8Array(Number(bytes)));
  return await part.commit(argument);
}

/** Reserves so many times. */
async function reserveUpTo(folder: DownloadFolder, times: number): Promise<number> {
  let granted = 0;
  for (let n = 0; n < times; n++) {
    try {
      held.push(await folder.reserve(Number(bytes)));
      granted++;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "quota") throw error;
    }
  }
  return granted;
}

await answerLines((line) =>
  run(line).catch((error) =>
    error instanceof Failure ? { kind: error.kind, message: error.message, next: error.nextStep } : String(error)
  )
);
