/** How quickly whole files travel, held against a bare loop that does the same work. */
import { strictEqual } from "node:assert/strict";
import { type Call, Driver } from "./driver.ts";
import { type Figure, quantile } from "./report.ts";
import type { Transferred } from "./transfer_floor.ts";
import { downloadCall, FILE_MIB, type TransferSetup } from "./transfer_setup.ts";

const ROUNDS = 5;
const AT_LEAST = 0.6;

/** Measures downloads and uploads in turns with their floors, each in a fresh process. */
export async function measureTransfers(setup: TransferSetup): Promise<Figure[]> {
  const download = downloadCall(FILE_MIB);
  return [
    await compare("download", "64 KiB", () => transfer(setup, download), () => setup.floor("download")),
    await compare("upload", "1 MiB", () => transfer(setup, setup.upload), () => setup.floor("upload")),
  ];
}

async function compare(
  what: string,
  chunk: string,
  ours: () => Promise<Transferred>,
  floor: () => Promise<Transferred>,
): Promise<Figure> {
  const times = new Map([[ours, [] as number[]], [floor, []]]);
  const hashes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of round % 2 === 0 ? [ours, floor] : [floor, ours]) {
      const { ms, bytes, sha256 } = await run();
      strictEqual(bytes, FILE_MIB * 1024 * 1024, `a ${what} is not whole`);
      hashes.add(sha256);
      times.get(run)?.push(ms);
    }
  }
  strictEqual(hashes.size, 1, `not every ${what} has the same bytes`);
  const rate = (run: typeof ours): number => FILE_MIB / (quantile(times.get(run) ?? [], 0.5) / 1000);
  return {
    figure: `${what} of ${FILE_MIB} MiB in ${chunk} chunks, median of ${ROUNDS}`,
    ours: rate(ours),
    unit: "MiB/s",
    against: { name: "bare loop", value: rate(floor) },
    bar: { kind: "at least", value: AT_LEAST },
  };
}

/** One transfer by a server that has not made any yet, as the floor has not. */
async function transfer(setup: TransferSetup, call: Call): Promise<Transferred> {
  await using downloads = await setup.downloads();
  await using driver = new Driver(setup.server(setup.quickBot, downloads));
  await driver.initialize();
  const start = performance.now();
  const { structuredContent: { result } } = await driver.call(call);
  const ms = performance.now() - start;
  const { file_size, sha256 } = result.data ?? result; // an upload gives the bot's envelope
  return { ms, bytes: file_size, sha256 };
}
