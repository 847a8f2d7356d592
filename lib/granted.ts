/** What the runtime lets this process, or this worker, do. It is queried, never requested and never tried. */
import type { Needs } from "./config/needs.ts";

/** The sandbox as it is. */
export interface Granted {
  /** Whether every kind of grant is a list, or nothing: no kind of grant was given as a whole. */
  readonly enforced: boolean;
  /** Kinds that were given as a whole, such as all of `read`, be it as the root folder. */
  readonly unlimited: readonly string[];
  /** Folders that may be read, of those that are needed. */
  readonly read: readonly string[];
  /** Folders that may be written to, of those that are needed. */
  readonly write: readonly string[];
  /** How many hosts may be reached, of those that are needed; which ones is the operator's business. */
  readonly net: number;
}

/** Every kind of grant. */
const KINDS = ["read", "write", "net", "env", "run", "sys", "ffi"] as const;

/** A grant for this folder is one for all of a kind. */
const ROOT = Deno.build.os === "windows" ? "C:\\" : "/";

/** Looks up what is granted. */
export async function findGranted({ read, write, net }: Needs): Promise<Granted> {
  const whole = await filter(KINDS, (name) => ({ name }));
  const fromRoot = await filter(["read", "write"] as const, (name) => ({ name, path: ROOT }));
  const unlimited = KINDS.filter((name) => whole.includes(name) || (fromRoot as string[]).includes(name));
  return {
    enforced: unlimited.length === 0,
    unlimited,
    read: await folders("read", read),
    write: await folders("write", write),
    net: (await filter(net, (host) => ({ name: "net", host }))).length,
  };
}

/** Of these folders what is granted; where one is a link, what it leads to counts as well. */
async function folders(name: "read" | "write", paths: readonly string[]): Promise<string[]> {
  const granted = await filter(paths, (path) => ({ name, path }));
  const real = await Promise.all(granted.map((path) => Deno.realPath(path).catch(() => path)));
  return [...new Set([...granted, ...await filter(real, (path) => ({ name, path }))])];
}

async function filter<T extends string>(
  values: readonly T[],
  descriptor: (value: T) => Deno.PermissionDescriptor,
): Promise<T[]> {
  const granted: T[] = [];
  for (const value of values) {
    if ((await Deno.permissions.query(descriptor(value))).state === "granted") granted.push(value);
  }
  return granted;
}
