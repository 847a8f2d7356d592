/** How much memory transfers take beyond the idle server: a few chunks, however large the file or slow its other end. */
import { type Call, Driver } from "./driver.ts";
import { memoryOf } from "./memory.ts";
import type { Figure, Skipped } from "./report.ts";
import { downloadCall, FILE_MIB, type TransferSetup } from "./transfer_setup.ts";

const GROWTH_MIB = 64;
const GROWTH_OF_FOUR_MIB = 160;
const LARGE_FILE_MIB = 2048;
/** Small enough not to take long where every chunk waits, large enough to be seen if it were kept. */
const SLOW_FILE_MIB = 128;
/** What the disk then gets at once. */
const SLOW_CHUNK_BYTES = 16 * 1024;
const LARGEST_CHUNK_BYTES = 16 * 1024 * 1024;

/** Growth of a fresh server's memory by one transfer, or several at once. */
export async function measureTransferMemory(setup: TransferSetup): Promise<Array<Figure | Skipped>> {
  const download = downloadCall(FILE_MIB);
  const { upload, slowBot } = setup;
  return [
    await measure(setup, `download of ${FILE_MIB} MiB`, [download]),
    await measure(setup, `download of ${LARGE_FILE_MIB} MiB`, [downloadCall(LARGE_FILE_MIB)]),
    await measure(setup, `upload of ${FILE_MIB} MiB`, [upload]),
    await measure(setup, "two downloads and two uploads at once", [download, upload, download, upload], {
      atMost: GROWTH_OF_FOUR_MIB,
    }),
    await measure(setup, `download of ${SLOW_FILE_MIB} MiB to a slow disk`, [
      downloadCall(SLOW_FILE_MIB, { chunk_size: SLOW_CHUNK_BYTES }),
    ], { slowDisk: true }),
    await measure(setup, `upload of ${FILE_MIB} MiB to a slow bot`, [upload], { bot: slowBot }),
    await measure(setup, `download of ${FILE_MIB} MiB in 16 MiB chunks`, [
      downloadCall(FILE_MIB, { chunk_size: LARGEST_CHUNK_BYTES }),
    ], { atMost: null }),
  ];
}

interface Conditions {
  readonly bot?: string;
  /** MiB; `null` for a figure that only informs. */
  readonly atMost?: number | null;
  readonly slowDisk?: boolean;
}

async function measure(
  setup: TransferSetup,
  what: string,
  calls: readonly Call[],
  { bot = setup.quickBot, atMost = GROWTH_MIB, slowDisk = false }: Conditions = {},
): Promise<Figure | Skipped> {
  const figure = `memory growth, ${what}`;
  if (Deno.build.os !== "linux") return { figure, skipped: "read from /proc, which only Linux has" };
  await using downloads = await setup.downloads();
  // every write then waits for the disk itself
  if (slowDisk && !await run("chattr", ["+S", downloads.folder])) return { figure, skipped: "chattr +S is refused" };
  await using driver = new Driver(setup.server(bot, downloads));
  await driver.initialize();
  await driver.call(["get_action", { name: "get_status" }]);
  const { resident } = await memoryOf(driver.pid);
  // from here on the peak is that of the transfer and not of starting
  if (!await run("sh", ["-c", `echo 5 > /proc/${driver.pid}/clear_refs`])) {
    return { figure, skipped: "the peak of a process cannot be reset" };
  }
  await driver.exchange(calls.map(([name, args]) => ({ method: "tools/call", params: { name, arguments: args } })));
  const { peak } = await memoryOf(driver.pid);
  const row: Figure = { figure, ours: peak - resident, unit: "MiB" };
  return atMost === null ? row : { ...row, bar: { kind: "at most", value: atMost } };
}

async function run(program: string, args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args, stdin: "null" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
