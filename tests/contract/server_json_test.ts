/** The entry for the MCP registry. */
import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import * as z from "zod";
import config from "../../deno.json" with { type: "json" };
import { bundleName } from "../../release/mcpb.ts";
import { SCHEMA, serverEntry } from "../../release/server_json.ts";
import { TARGETS } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";

/**
 * What the registry holds an entry to, as far as ours has the fields: its schema of 2025-12-11
 * (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, read in December 2026), and in
 * `fileSha256`, `identifier` and the closed objects what the registry itself adds for bundles.
 */
const version = z.string().min(1).max(255).regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/).refine((text) => text !== "latest");
const ENTRY = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  packages: z.array(z.strictObject({
    registryType: z.literal("mcpb"),
    identifier: z.url({ protocol: /^https$/ }).regex(/mcp/i),
    version,
    fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
    transport: z.strictObject({ type: z.literal("stdio") }),
  })).min(1),
});

const REPOSITORY = "https://github.com/Some-Owner/some.repository";

/** Checksums of every bundle, each another. */
function sums(): string {
  return TARGETS.map((target, index) => `${String(index).padStart(64, "a")}  ${bundleName(target)}\n`).join("");
}

Deno.test("the registry's entry keeps the registry's rules and names this version", () => {
  verifies("server-json");
  const entry = serverEntry(REPOSITORY, `${"0".repeat(64)}  other\n${sums()}`);
  deepStrictEqual(ENTRY.parse(entry), entry);
  strictEqual(entry.$schema, SCHEMA);
  strictEqual(entry.version, config.version);
  strictEqual(entry.name, "io.github.Some-Owner/snowluma-mcp");
});

Deno.test("the registry's entry has each target's bundle of this release, with its own checksum", () => {
  verifies("server-json");
  const { packages } = serverEntry(REPOSITORY, sums());
  deepStrictEqual(
    packages.map(({ identifier, fileSha256 }) => [identifier, fileSha256]),
    TARGETS.map((target, index) => [
      `${REPOSITORY}/releases/download/v${config.version}/${bundleName(target)}`,
      String(index).padStart(64, "a"),
    ]),
  );
  ok(packages.every((entry) => entry.version === config.version));
});

Deno.test("serverEntry() refuses a missing checksum and a repository elsewhere", () => {
  verifies("server-json");
  for (const target of TARGETS) {
    const rest = sums().split("\n").filter((line) => !line.endsWith(bundleName(target))).join("\n");
    throws(() => serverEntry(REPOSITORY, rest), (error: Error) => error.message.includes(bundleName(target)));
  }
  for (
    const repository of [
      "",
      "https://github.com/owner",
      "http://github.com/a/b",
      "https://example.org/a/b",
      "https://github.com/a/b.git",
      "https://github.com/a/..",
      "https://github.com/a/-",
      "https://github.com/a/b/c",
    ]
  ) {
    throws(() => serverEntry(repository, sums()), /must look like https:\/\/github\.com\/owner\/name/, repository);
  }
});
