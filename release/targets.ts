/** The systems that binaries are built for. */

import { fromFileUrl } from "@std/path";

/** Where everything that is released goes. */
export const DIST: string = fromFileUrl(new URL("../dist", import.meta.url));

/** One of them, as the compiler names it. */
export interface Target {
  readonly triple: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x86_64" | "aarch64";
}

/** All of them. */
export const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", os: "linux", arch: "x86_64" },
  { triple: "aarch64-unknown-linux-gnu", os: "linux", arch: "aarch64" },
  { triple: "x86_64-apple-darwin", os: "darwin", arch: "x86_64" },
  { triple: "aarch64-apple-darwin", os: "darwin", arch: "aarch64" },
  { triple: "x86_64-pc-windows-msvc", os: "windows", arch: "x86_64" },
];

/** The target of that name. @throws {Error} that names all of them. */
export function findTarget(triple: string): Target {
  const target = TARGETS.find((each) => each.triple === triple);
  if (target !== undefined) return target;
  const known = TARGETS.map((each) => each.triple).join(", ");
  throw new Error(`Unknown target ${JSON.stringify(triple)}: known are ${known}`);
}

/** File name of the binary for a target. */
export function binaryName({ triple, os }: Target): string {
  return `snowluma-mcp-${triple}${os === "windows" ? ".exe" : ""}`;
}
