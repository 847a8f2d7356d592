/** The standalone binary's start, beside the least that a compiled program can take, and beside Node.js. */
import { join } from "@std/path";
import { BuildError, compileProgram } from "../../release/compile.ts";
import { findTarget } from "../../release/targets.ts";
import { BINARY } from "../support/binary.ts";
import type { ServerSpec } from "./driver.ts";
import type { Figure, Skipped } from "./report.ts";
import { measureStartup } from "./startup.ts";

const FIGURE = "binary: start to tools/list";
/** Programs to compare with, as `release/compile.ts` builds them. */
const FLOORS = {
  "one line": { main: "tests/bench/floor.ts", worker: "tests/bench/floor_worker.ts" },
  "one line from a worker": { main: "tests/bench/floor_worker_main.ts", worker: "tests/bench/floor_worker.ts" },
} as const;

/** Measures it, if it was built for this system. @param baseline The server on Node.js, if there is one. */
export async function measureBinary(baseline: ServerSpec | undefined): Promise<Array<Figure | Skipped>> {
  if (!await exists(BINARY)) return [{ figure: FIGURE, skipped: "`deno task compile` has not built it" }];
  const folder = await Deno.makeTempDir({ prefix: "floors-" });
  try {
    const [docsFloor, writeFloor] = await compileFloors(folder);
    const write = ["--endpoint=http://127.0.0.1:9/", "--mode=write", `--stream-dir=${join(folder, "downloads")}`];
    const beside = (floor: ServerSpec, atMost: number, ofNode: number) => [
      { spec: floor, atMost },
      ...baseline === undefined ? [] : [{ spec: baseline, atMost: ofNode }],
    ];
    const ours = (args: readonly string[]): ServerSpec => ({ name: "binary", command: BINARY, args });
    return [
      ...await measureStartup(ours([]), beside(docsFloor, 2.5, 0.75), "binary, docs: "),
      ...await measureStartup(ours(write), beside(writeFloor, 1.9, 0.9), "binary, write: "),
    ];
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return [{ figure: FIGURE, skipped: "what it is compared with cannot be compiled: set DENORT_BIN" }];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function compileFloors(folder: string): Promise<[ServerSpec, ServerSpec]> {
  const target = findTarget(Deno.build.target);
  const specs: ServerSpec[] = [];
  for (const [name, entries] of Object.entries(FLOORS)) {
    const command = join(folder, name.replaceAll(" ", "-"));
    await compileProgram(target, command, entries);
    specs.push({ name, command, args: [] });
  }
  return specs as [ServerSpec, ServerSpec];
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}
