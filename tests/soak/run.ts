/**
 * `deno task soak`: floods, crashes and replays against the bars that this server promises. Exits with 1 when one is
 * missed, and ends with an error where something happened that no figure counts.
 */
import { type Figure, judge, render } from "../bench/report.ts";
import { soakContinuations } from "./continuations.ts";
import { soakEvents } from "./events.ts";
import { soakTasks } from "./tasks.ts";

const events = await soakEvents();
const continuations = await soakContinuations();
const tasks = await soakTasks();

const NONE = { kind: "at most", value: 0 } as const;
const count = (figure: string, ours: number): Figure => ({ figure, ours, unit: "" });
const rows: Figure[] = [
  {
    figure: "events: growth while they come",
    ours: events.peakMiB - events.beforeMiB,
    unit: "MiB",
    bar: { kind: "at most", value: 48 },
  },
  { figure: "events: p99 of calls meanwhile", ours: events.p99Ms, unit: "ms", bar: { kind: "at most", value: 50 } },
  count("events: sent", events.sent),
  count("events: dropped by 16 resources, each counted", events.dropped),
  count("continuations: answers", continuations.steps),
  count("continuations: executions, each one due", continuations.executions),
  count("tasks: kills", tasks.kills),
  count("tasks: handles given", tasks.handles),
  count("tasks: completed", tasks.completed),
  { ...count("tasks: lost", tasks.lost), bar: NONE },
  { ...count("tasks: successes that were none", tasks.falseSuccesses), bar: NONE },
  { ...count("tasks: unreadable records", tasks.unreadable), bar: NONE },
];
await Deno.stdout.write(new TextEncoder().encode(`${render(rows)}\n`));
Deno.exit(rows.some((row) => judge(row) === "missed") ? 1 : 0);
