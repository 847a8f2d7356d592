/**
 * `deno task bench`: the figures that this server promises, measured side by side in one run. Exits with 1 when
 * a bar is missed. Ratios mean more than times: the machine's other work falls on both sides of them.
 */
import { measureBinary } from "./binary.ts";
import { GET_CALLS, requireEqualWork, SEARCH_CALLS } from "./calls.ts";
import { Driver, type ServerSpec } from "./driver.ts";
import { measureLatency } from "./latency.ts";
import { measureMemory } from "./memory.ts";
import { type Figure, judge, render, type Skipped } from "./report.ts";
import { findServers, installBaseline, type Servers } from "./servers.ts";
import { measureSizes } from "./sizes.ts";
import { measureStartup } from "./startup.ts";
import { measureThroughput } from "./throughput.ts";
import { measureTransfers } from "./transfer.ts";
import { measureTransferMemory } from "./transfer_memory.ts";
import { setUpTransfers } from "./transfer_setup.ts";

const rows = await measure();
print(render(rows));
const missed = rows.filter((row) => judge(row) === "missed");
if (missed.length > 0) print(`\nmissed: ${missed.map(({ figure }) => figure).join("; ")}`);
Deno.exit(missed.length > 0 ? 1 : 0);

async function measure(): Promise<Array<Figure | Skipped>> {
  const servers = await findServers();
  const baseline = await installBaseline();
  const empty = { spec: servers.empty, atMost: 1.25 };
  if (typeof baseline === "string") {
    return [
      ...await measureStartup(servers.ours, [empty]),
      ...["start to tools/list", "get_action", "keyword search", "pipelined get_action"]
        .map((figure) => ({ figure: `${figure} against node baseline`, skipped: baseline })),
      ...await measureBinary(undefined),
      ...await measureAlone(servers),
    ];
  }
  await using _ = baseline;
  return [
    ...await measureStartup(servers.ours, [empty, { spec: baseline.spec, atMost: 0.75 }]),
    ...await measureBinary(baseline.spec),
    ...await measureCalls(servers.ours, baseline.spec),
    ...await measureAlone(servers),
  ];
}

/** What is compared call by call. */
async function measureCalls(oursSpec: ServerSpec, otherSpec: ServerSpec): Promise<Figure[]> {
  await using ours = new Driver(oursSpec);
  await using other = new Driver(otherSpec);
  await ours.initialize();
  await other.initialize();
  await requireEqualWork(ours, other);
  return [
    ...await measureLatency("get_action", GET_CALLS, { ours, other, atMost: 0.9 }),
    ...await measureLatency("keyword search", SEARCH_CALLS, { ours, other, atMost: 0.9 }),
    await measureThroughput("get_action", GET_CALLS, { ours, other, atLeast: 1.2 }),
  ];
}

/** What needs no comparison. */
async function measureAlone({ ours, oursZh }: Servers): Promise<Array<Figure | Skipped>> {
  return [
    ...await measureMemory(ours),
    ...await measureSizes({ en: ours, zh: oursZh }),
    ...await measureFiles(ours),
  ];
}

/** Files that come and go. */
async function measureFiles(ours: ServerSpec): Promise<Array<Figure | Skipped>> {
  const setup = await setUpTransfers(ours);
  if (typeof setup === "string") return [{ figure: "transfers", skipped: setup }];
  await using _ = setup;
  return [...await measureTransfers(setup), ...await measureTransferMemory(setup)];
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
