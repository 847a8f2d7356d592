/** How many calls a second are answered when they come all at once. */
import type { Call, Driver } from "./driver.ts";
import type { Figure } from "./report.ts";

const CALLS = 2000;
const ROUNDS = 7;

/** The best of several alternating rounds of pipelined calls, after one that does not count. */
export async function measureThroughput(
  what: string,
  calls: readonly Call[],
  { ours, other, atLeast }: { ours: Driver; other: Driver; atLeast: number },
): Promise<Figure> {
  const burst = Array.from({ length: CALLS }, (_, i) => calls[i % calls.length] ?? ["", {}] as const);
  const best = new Map<Driver, number>([[ours, 0], [other, 0]]);
  for (let round = -1; round < ROUNDS; round++) {
    for (const driver of round % 2 === 0 ? [ours, other] : [other, ours]) {
      const rate = CALLS / (await driver.timeAll(burst) / 1000);
      if (round >= 0) best.set(driver, Math.max(best.get(driver) ?? 0, rate));
    }
  }
  return {
    figure: `${CALLS} pipelined ${what}, best of ${ROUNDS}`,
    ours: best.get(ours) ?? NaN,
    unit: "/s",
    against: { name: other.spec.name, value: best.get(other) ?? NaN },
    bar: { kind: "at least", value: atLeast },
  };
}
