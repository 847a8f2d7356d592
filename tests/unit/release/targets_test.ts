/** Targets, and the names of their binaries. */
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { binaryName, findTarget, TARGETS } from "../../../release/targets.ts";
import { verifies } from "../../requirements.ts";

Deno.test("binaryName() is the target's, and ends in .exe for Windows alone", () => {
  verifies("binary-built");
  deepStrictEqual(TARGETS.map(binaryName), [
    "snowluma-mcp-x86_64-unknown-linux-gnu",
    "snowluma-mcp-aarch64-unknown-linux-gnu",
    "snowluma-mcp-x86_64-apple-darwin",
    "snowluma-mcp-aarch64-apple-darwin",
    "snowluma-mcp-x86_64-pc-windows-msvc.exe",
  ]);
});

Deno.test("findTarget() knows the targets by name, this system's too, and refuses others with all of them", () => {
  verifies("binary-built");
  for (const target of TARGETS) {
    strictEqual(findTarget(target.triple), target);
    strictEqual(target.triple.startsWith(`${target.arch}-`) && target.triple.includes(target.os), true, target.triple);
  }
  strictEqual(findTarget(Deno.build.target).arch, Deno.build.arch);
  for (const triple of ["", "constructor", "x86_64-unknown-linux-gnu "]) {
    throws(() => findTarget(triple), {
      message: `Unknown target ${JSON.stringify(triple)}: known are ${TARGETS.map((each) => each.triple).join(", ")}`,
    });
  }
});
