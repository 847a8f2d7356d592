/** Our own source files as data, for tests that hold rules about them. */
import { fromFileUrl } from "@std/path";

/** Folder of the repository. */
export const ROOT: string = fromFileUrl(new URL("../../", import.meta.url));

/** A module and what it imports. */
export interface SourceFile {
  /** Path below the repository, with slashes. */
  readonly path: string;
  /** The text without comments. */
  readonly code: string;
  /** Static and dynamic imports as written. */
  readonly imports: readonly string[];
}

/** Comments, and the strings that could hold what looks like one. */
const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;
const IMPORT =
  /(?<!["'])\b(?:import|export)\b[^"'`;()]*?\bfrom\s*["']([^"']+)["']|(?<!["'])\bimport\s*\(?\s*["']([^"']+)["']/g;

/** Reads TypeScript files under a folder, tests of none. */
export async function readSources(...folders: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    for (const path of await filesUnder(folder, ".ts")) {
      files.push(parseSource(path, await Deno.readTextFile(ROOT + path)));
    }
  }
  return files;
}

/** Paths of files under a folder, or the path itself if it is a file; sorted. */
export async function filesUnder(path: string, ending: string): Promise<string[]> {
  const { isFile } = await Deno.stat(ROOT + path);
  if (isFile) return [path];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(ROOT + path)) {
    if (isDirectory) found.push(...await filesUnder(`${path}/${name}`, ending));
    else if (name.endsWith(ending)) found.push(`${path}/${name}`);
  }
  return found.sort();
}

/** Takes comments out and finds imports. */
export function parseSource(path: string, text: string): SourceFile {
  const code = text.replace(COMMENT_OR_STRING, (found) => found.startsWith("/") ? " " : found);
  const imports = [...code.matchAll(IMPORT)].map(([, from, called]) => from ?? called ?? "");
  return { path, code, imports };
}

/** Where an import leads: a path below the repository for a relative one, otherwise the name itself. */
export function resolveImport(from: string, specifier: string, named: Readonly<Record<string, string>> = {}): string {
  const target = named[specifier] ?? specifier;
  if (target === specifier && !target.startsWith(".")) return target;
  const base = target === specifier ? from : "deno.json";
  return new URL(target, `file:///${base}`).pathname.slice(1);
}
