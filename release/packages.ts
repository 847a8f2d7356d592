/** Deno's copies of npm packages, laid out as esbuild looks for them. */
import { dirname, fromFileUrl, join } from "@std/path";
import { createRequire } from "node:module";

/**
 * Links packages into a folder. Needs reading, and writing of the folder.
 *
 * @param packages By name: a module of the package as `deno.json` names it, or nothing where it is not there but comes
 * with the first one.
 * @returns The folder to look in, for `nodePaths`.
 */
export async function linkPackages(
  folder: string,
  packages: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const modules = join(folder, "node_modules");
  const [first = ""] = Object.values(packages);
  const require = createRequire(import.meta.resolve(first));
  for (const [name, module] of Object.entries(packages)) {
    const path = module === undefined ? require.resolve(name) : fromFileUrl(import.meta.resolve(module));
    const [root] = new RegExp(`^.*?/${name}/[0-9][^/]*(?=/)`).exec(path.replaceAll("\\", "/")) ?? [];
    if (root === undefined) throw new Error(`Cannot find the package ${name} in ${path}`);
    await Deno.mkdir(dirname(join(modules, name)), { recursive: true });
    await Deno.symlink(root, join(modules, name), { type: "junction" });
  }
  return modules;
}
