/** From process start to the answer of `tools/list`. */
import { Driver, type ServerSpec } from "./driver.ts";
import { type Figure, quantile } from "./report.ts";

const RUNS = 15;
/** Runs before those that count: they fill the runtime's code cache and the system's file cache. */
const WARM_UP_RUNS = 2;

/**
 * Starts the servers in turns, so that a busy moment of the machine falls on all of them.
 *
 * @param label What the figures' names begin with.
 */
export async function measureStartup(
  ours: ServerSpec,
  others: ReadonlyArray<{ readonly spec: ServerSpec; readonly atMost: number }>,
  label = "",
): Promise<Figure[]> {
  const specs = [ours, ...others.map(({ spec }) => spec)];
  const times = new Map(specs.map((spec) => [spec, [] as number[]]));
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    for (let turn = 0; turn < specs.length; turn++) {
      const spec = specs[(turn + run + WARM_UP_RUNS) % specs.length] ?? ours; // each goes first equally often
      const ms = await startOnce(spec);
      if (run >= 0) times.get(spec)?.push(ms);
    }
  }
  const at = (spec: ServerSpec, share: number): number => quantile(times.get(spec) ?? [], share);
  return others.flatMap(({ spec, atMost }) => [
    {
      figure: `${label}start to tools/list, minimum of ${RUNS}`,
      ours: at(ours, 0),
      unit: "ms" as const,
      against: { name: spec.name, value: at(spec, 0) },
      bar: { kind: "at most" as const, value: atMost },
    },
    {
      figure: `${label}start to tools/list, median`,
      ours: at(ours, 0.5),
      unit: "ms" as const,
      against: { name: spec.name, value: at(spec, 0.5) },
    },
  ]);
}

async function startOnce(spec: ServerSpec): Promise<number> {
  const start = performance.now();
  await using driver = new Driver(spec);
  await driver.initialize();
  await driver.request("tools/list");
  return performance.now() - start;
}
