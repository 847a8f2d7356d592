import { join } from "@std/path";
import { deepStrictEqual } from "node:assert/strict";
import { realPaths } from "../../../lib/sandbox/real_paths.ts";
import { verifies } from "../../requirements.ts";

/** Paths below one folder, in which `link` leads to `real`, and `real/inner` to `away`; `gone` is not there. */
const CASES: ReadonlyArray<{ name: string; paths: string[]; unnamed?: string; real: string[] }> = [
  { name: "a folder without links", paths: ["real"], real: ["real"] },
  { name: "a folder that is not there", paths: ["gone/deep"], real: ["gone/deep"] },
  { name: "a link", paths: ["link"], real: ["link", "real"] },
  { name: "a folder below a link", paths: ["link/plain"], real: ["link/plain", "real/plain"] },
  {
    name: "one below a link that is not there yet",
    paths: ["link/gone/deep"],
    real: ["link/gone/deep", "real/gone/deep"],
  },
  { name: "a link below a link", paths: ["link/inner"], real: ["link/inner", "real/inner", "away"] },
  { name: "each path once", paths: ["real", "link", "real"], real: ["real", "link"] },
  {
    name: "a link that nobody named",
    paths: ["link", "real/inner"],
    unnamed: "real/inner",
    real: ["link", "real", "real/inner"],
  },
  {
    name: "a link that nobody named, below one, by all its spellings",
    paths: ["link/inner", "real/inner"],
    unnamed: "link/inner",
    real: ["link/inner", "real/inner"],
  },
];

Deno.test({
  name: "realPaths() adds what links lead to, but of those that nobody named",
  ignore: Deno.build.os === "windows",
}, async (t) => {
  verifies("sandbox-links", "sandbox-worker");
  const top = await Deno.realPath(await Deno.makeTempDir());
  const at = (path: string): string => join(top, path);
  try {
    for (const folder of ["real/plain", "away"]) await Deno.mkdir(at(folder), { recursive: true });
    await Deno.symlink("real", at("link"));
    await Deno.symlink("../away", at("real/inner"));
    for (const { name, paths, unnamed, real } of CASES) {
      await t.step(name, async () => {
        const given = await realPaths(paths.map(at), unnamed === undefined ? undefined : at(unnamed));
        deepStrictEqual(given, real.map(at));
      });
    }
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});
