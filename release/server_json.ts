/**
 * `deno task server-json --repository URL`: writes `dist/server.json`, the entry for the MCP registry, once all bundles
 * of a release and their checksums are there. Settings are not in it: each bundle's manifest has them.
 */
import { join } from "@std/path";
import { parseArgs } from "node:util";
import { NAME, VERSION } from "../lib/version.ts";
import { DESCRIPTION, TITLE } from "./about.ts";
import { bundleName } from "./mcpb.ts";
import { DIST, TARGETS } from "./targets.ts";

/** The registry's schema for the entry, the newest that it has published. */
export const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** One file of a release that starts the server. */
export interface RegistryPackage {
  readonly registryType: "mcpb";
  /** Where it is downloaded from. */
  readonly identifier: string;
  readonly version: string;
  /** 64 hexadecimal digits. */
  readonly fileSha256: string;
  readonly transport: { readonly type: "stdio" };
}

/** The entry. */
export interface ServerEntry {
  readonly $schema: string;
  /** In the namespace that the registry gives to the owner of the repository. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly repository: { readonly url: string; readonly source: "github" };
  readonly version: string;
  readonly packages: readonly RegistryPackage[];
}

/**
 * Makes the entry of this version.
 *
 * @param repository Address of the repository on GitHub, whose releases hold the bundles.
 * @param sums Text as `sha256sum` writes it.
 * @throws {Error} for another address, and where the checksum of a bundle is missing.
 */
export function serverEntry(repository: string, sums: string): ServerEntry {
  const owner = /^https:\/\/github\.com\/([A-Za-z0-9-]+)\/(?![\w.-]*\.git$|\.{1,2}$|-+$)[\w.-]+$/.exec(repository)?.[1];
  if (owner === undefined) {
    throw new Error(
      `Cannot use --repository ${JSON.stringify(repository)}: it must look like https://github.com/owner/name`,
    );
  }
  const hashes = new Map(
    [...sums.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, hash = "", file = ""]) => [file, hash]),
  );
  return {
    $schema: SCHEMA,
    name: `io.github.${owner}/${NAME}`,
    title: TITLE,
    description: DESCRIPTION,
    repository: { url: repository, source: "github" },
    version: VERSION,
    packages: TARGETS.map((target) => {
      const file = bundleName(target);
      const fileSha256 = hashes.get(file);
      if (fileSha256 === undefined) throw new Error(`Cannot name ${file}: SHA256SUMS has no line for it`);
      const identifier = `${repository}/releases/download/v${VERSION}/${file}`;
      return { registryType: "mcpb", identifier, version: VERSION, fileSha256, transport: { type: "stdio" } };
    }),
  };
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ args: Deno.args, options: { repository: { type: "string", default: "" } } });
    const entry = serverEntry(values.repository, await Deno.readTextFile(join(DIST, "SHA256SUMS")));
    await Deno.writeTextFile(join(DIST, "server.json"), `${JSON.stringify(entry, null, 2)}\n`);
  } catch (error) {
    await Deno.stderr.write(new TextEncoder().encode(`${error instanceof Error ? error.message : error}.\n`));
    Deno.exit(1);
  }
}
