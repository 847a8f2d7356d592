import { shellWord } from "../printable.ts";

/**
 * The flags that would grant what is missing, such as `--allow-read=/a,/b`; empty if nothing is. Grants are queried,
 * never requested: a prompt would reach for the terminal.
 *
 * @param paths Absolute. A link and what it leads to are two paths to Deno: name both.
 */
export async function missingGrants(paths: readonly string[], names: ReadonlyArray<"read" | "write">): Promise<string> {
  const flags: string[] = [];
  for (const name of names) {
    const missing: string[] = [];
    for (const path of new Set(paths)) {
      const { state } = await Deno.permissions.query({ name, path });
      if (state !== "granted") missing.push(path);
    }
    if (missing.length > 0) flags.push(shellWord(`--allow-${name}=${missing.join(",")}`));
  }
  return flags.join(" ");
}
