/** How much memory a server has taken, and whether it goes on taking more. */
import { startSimulator } from "../../lib/simulator/mod.ts";
import { PROXIES } from "../support/server_process.ts";
import { mixedCall } from "./calls.ts";
import { type Call, Driver, type ServerSpec } from "./driver.ts";
import type { Figure, Skipped } from "./report.ts";

const CALLS = 5000;
const STEP = 1000;
const PEAK_MIB = 110;
/** Growth of the peak from call 1,000 to 5,000 that still counts as flat: less than a leak of 2 KiB a call. */
const FLAT = 1.08;

/** Peak and resident size over mixed docs calls, and over calls to a bot. */
export async function measureMemory(spec: ServerSpec): Promise<Array<Figure | Skipped>> {
  if (Deno.build.os !== "linux") return [{ figure: "peak memory", skipped: "read from /proc, which only Linux has" }];
  await using bot = await startSimulator();
  // init grants a docs server no net, and a permission must stand before the program
  const grants = ["--allow-net=127.0.0.1", PROXIES];
  const connected = [...spec.args.slice(0, -1), ...grants, ...spec.args.slice(-1), "--endpoint", bot.url];
  return [
    ...await measureOver("docs", spec, mixedCall),
    ...await measureOver("bot", { ...spec, args: connected }, () => ["query_action", { action: "get_status" }]),
  ];
}

async function measureOver(what: string, spec: ServerSpec, callAt: (position: number) => Call): Promise<Figure[]> {
  const figure = `peak memory after ${CALLS} ${what} calls`;
  await using driver = new Driver(spec);
  await driver.initialize();
  const sizes: Array<{ peak: number; resident: number }> = [];
  for (let done = 0; done < CALLS; done++) {
    await driver.call(callAt(done));
    if ((done + 1) % STEP === 0) sizes.push(await memoryOf(driver.pid));
  }
  const first = sizes[0]?.peak ?? NaN;
  const last = sizes.at(-1)?.peak ?? NaN;
  return [
    { figure, ours: last, unit: "MiB", bar: { kind: "at most", value: PEAK_MIB } },
    {
      figure: `peak memory, ${what} call ${CALLS} to call ${STEP}`,
      ours: last,
      unit: "MiB",
      against: { name: `at call ${STEP}`, value: first },
      bar: { kind: "at most", value: FLAT },
    },
    ...sizes.map(({ resident }, step): Figure => ({
      figure: `resident memory at ${what} call ${STEP * (step + 1)}`,
      ours: resident,
      unit: "MiB",
    })),
  ];
}

/** Most memory that a process has held at once, and what it holds now, in MiB. Linux only. */
export async function memoryOf(pid: number): Promise<{ peak: number; resident: number }> {
  // a program of its own: Deno lets itself read /proc only with every permission
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const status = new TextDecoder().decode(stdout);
  const mib = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  return { peak: mib("VmHWM"), resident: mib("VmRSS") };
}
