import { deepStrictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { findGranted } from "../../lib/granted.ts";
import { verifies } from "../requirements.ts";

const TOP = await Deno.realPath(await Deno.makeTempDir({ prefix: "snowluma-granted-" }));
addEventListener("unload", () => Deno.removeSync(TOP, { recursive: true }));
const [LINK, REAL] = [join(TOP, "link"), join(TOP, "real")];
await Deno.mkdir(REAL);
await Deno.symlink(REAL, LINK);
const NEEDS = { read: [LINK], write: [LINK], net: ["127.0.0.1:9"], env: [] };

for (
  const [how, granted, expected] of [
    ["in both spellings", [LINK, REAL], [LINK, REAL]],
    ["as the link alone", [LINK], [LINK]],
    ["not at all", [join(TOP, "other")], []],
  ] as const
) {
  Deno.test({
    name: `findGranted() shows a linked folder that is granted ${how}`,
    permissions: { read: [...granted], write: [...granted], net: ["127.0.0.1:9"] },
    async fn() {
      verifies("sandbox-told");
      deepStrictEqual(await findGranted(NEEDS), {
        enforced: true,
        unlimited: [],
        read: expected,
        write: expected,
        net: 1,
      });
    },
  });
}

Deno.test({
  name: "findGranted() takes the root folder for all of its kind",
  ignore: Deno.build.os === "windows",
  permissions: { read: ["/"], write: [LINK] },
  async fn() {
    verifies("sandbox-told");
    const { enforced, unlimited } = await findGranted(NEEDS);
    deepStrictEqual([enforced, unlimited], [false, ["read"]]);
  },
});
