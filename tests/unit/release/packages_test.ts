/** Packages as esbuild finds them. */
import { join } from "@std/path";
import { ok, rejects, strictEqual } from "node:assert/strict";
import { linkPackages } from "../../../release/packages.ts";
import { verifies } from "../../requirements.ts";

Deno.test("linkPackages() links each package by its name, also one that comes with the first alone", async () => {
  verifies("binary-own-code");
  const folder = await Deno.makeTempDir({ prefix: "snowluma-links-" });
  try {
    const modules = await linkPackages(folder, {
      "@modelcontextprotocol/server": "@modelcontextprotocol/server",
      "@modelcontextprotocol/core": undefined,
      zod: "zod",
    });
    for (const name of ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod"]) {
      ok((await Deno.lstat(join(modules, name))).isSymlink, name);
      strictEqual(JSON.parse(await Deno.readTextFile(join(modules, name, "package.json"))).name, name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("linkPackages() refuses a package that is not where its module is", async () => {
  verifies("binary-own-code");
  const folder = await Deno.makeTempDir({ prefix: "snowluma-links-" });
  try {
    await rejects(linkPackages(folder, { zed: "zod" }), /Cannot find the package zed in /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
