/** Folders as a grant has to name them: a link and what it leads to are two paths to Deno. */
import { basename, dirname, join } from "node:path";

/**
 * Adds to each path the one without links, as far as it exists. Needs `--allow-read` for all of them.
 *
 * @param unnamed A path that nobody named: if it is itself a link, somebody else may have put it there, so what it leads
 * to is not granted.
 */
export async function realPaths(paths: readonly string[], unnamed: string | undefined): Promise<string[]> {
  const all = new Set<string>();
  const ours = unnamed === undefined ? undefined : await withRealParent(unnamed);
  for (const path of paths) {
    const spelling = await withRealParent(path);
    all.add(path);
    all.add(spelling);
    if (spelling !== ours) all.add(await realPath(path)); // however that one is spelled
  }
  return [...all];
}

/** The path itself may be a link; those above it are followed. */
async function withRealParent(path: string): Promise<string> {
  return join(await realPath(dirname(path)), basename(path));
}

/** Of the nearest folder that exists, and the rest as it is. */
async function realPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
