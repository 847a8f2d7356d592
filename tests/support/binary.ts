/**
 * The standalone binary under test. `deno task test:binary` builds it, and then runs the end-to-end tests once more with
 * it in the place of `deno run main.ts`.
 */
import { fromFileUrl } from "@std/path";
import { binaryName, findTarget } from "../../release/targets.ts";

/** Whether the binary is tested, instead of the source. */
export const IS_BINARY: boolean = Deno.env.get("SNOWLUMA_TEST_FORM") === "binary";

/** Its path, for this system. */
export const BINARY: string = fromFileUrl(
  new URL(`../../dist/${binaryName(findTarget(Deno.build.target))}`, import.meta.url),
);

/** What a test of the binary alone is ignored by; the run names it then. */
export const NEEDS_BINARY: { readonly ignore: boolean } = { ignore: !IS_BINARY };

/** What a test of `deno run` alone is ignored by: grants that users type, and files of the checkout. */
export const NEEDS_SOURCE: { readonly ignore: boolean } = { ignore: IS_BINARY };

/**
 * Whether the binary embeds an older runtime than this one, as `DENORT_BIN` may be. Of 2.7 two things are known that
 * our code is not to blame for: `node:http` does not tell of a peer that leaves without an answer, and `node:net` tells
 * that something is written some turns later.
 */
export async function hasOlderRuntime(): Promise<boolean> {
  if (!IS_BINARY) return false;
  const { stdout } = await new Deno.Command(BINARY, { args: ["--version"], stdin: "null" }).output();
  const [, version = ""] = /Deno (\d+\.\d+)\./.exec(new TextDecoder().decode(stdout)) ?? [];
  return version !== "" && version.localeCompare(Deno.version.deno, "en", { numeric: true }) < 0 &&
    !Deno.version.deno.startsWith(`${version}.`);
}
