/** What lies in the stream folder: former uploads and generated files. */
import { ActionFailure } from "./failure.ts";
import { generatedAt } from "./generated.ts";
import { isInStreamFolder, STREAM_ROOT, type StreamFile } from "./stream_folder.ts";
import type { World } from "./world.ts";

/**
 * The file at a path that `hostPath` resolved; undefined when the path lies outside of the folder.
 *
 * @throws ActionFailure if it lies inside and nothing is there, or no longer.
 */
export function findStreamFile(path: string, world: World): StreamFile | undefined {
  if (!isInStreamFolder(path)) return undefined;
  const file = world.uploads.file(path) ?? generatedAt(path.slice(STREAM_ROOT.length));
  if (file === undefined) throw new ActionFailure(`no such file: ${path}`);
  return file;
}
