/** How long one call takes while nothing else runs. */
import type { Call, Driver } from "./driver.ts";
import { type Figure, quantile } from "./report.ts";

const WARM_UP_CALLS = 1000;
const BLOCKS = 20;
const CALLS_PER_BLOCK = 250;

/** Measures sequential calls in alternating blocks, 5,000 for each server. */
export async function measureLatency(
  what: string,
  calls: readonly Call[],
  { ours, other, atMost }: { ours: Driver; other: Driver; atMost: number },
): Promise<Figure[]> {
  for (const driver of [ours, other]) await timeCalls(driver, calls, WARM_UP_CALLS);
  const times = new Map<Driver, number[]>([[ours, []], [other, []]]);
  for (let block = 0; block < BLOCKS; block++) {
    for (const driver of block % 2 === 0 ? [ours, other] : [other, ours]) {
      times.get(driver)?.push(...await timeCalls(driver, calls, CALLS_PER_BLOCK));
    }
  }
  const figure = (name: string, share: number): Figure => ({
    figure: `${what} ${name}`,
    ours: quantile(times.get(ours) ?? [], share),
    unit: "ms",
    against: { name: other.spec.name, value: quantile(times.get(other) ?? [], share) },
  });
  return [{ ...figure("p50", 0.5), bar: { kind: "at most", value: atMost } }, figure("p99", 0.99)];
}

function timeCalls(driver: Driver, calls: readonly Call[], count: number): Promise<number[]> {
  return driver.timeEach(Array.from({ length: count }, (_, i) => calls[i % calls.length] ?? ["", {}]));
}
