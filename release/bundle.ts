/**
 * Bundles the program for a binary: what starts it, its worker, and parts that are loaded when they are needed. The
 * parts matter: one file is read and scanned as a whole at every start, with the catalog and the panel in it.
 */
import { fromFileUrl, join } from "@std/path";
import * as esbuild from "esbuild";
import { isBuiltin } from "node:module";
import config from "../deno.json" with { type: "json" };
import { linkPackages } from "./packages.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
/** Packages that end in the binary. */
const PACKAGES = {
  "@modelcontextprotocol/server": "@modelcontextprotocol/server",
  "@modelcontextprotocol/core": undefined,
  zod: "zod",
  ws: "npm-ws",
  "deno-std": "deno-std/encoding/mod.js",
};

/** What is bundled. */
export interface BundleOptions {
  /** Where the files go. */
  readonly folder: string;
  /** The commit that `--version` tells. */
  readonly commit: string;
  /** Entries by the name of their file, without its ending; `main` is the one to compile. */
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * Writes the bundle, the same bytes wherever it is made. Needs reading, writing of `folder` and of a temporary one, and
 * running of esbuild.
 */
export async function bundleProgram({ folder, commit, entries }: BundleOptions): Promise<void> {
  const links = await Deno.makeTempDir();
  const root = join(links, "source");
  try {
    await Deno.symlink(ROOT, root, { type: "junction" });
    const { errors, warnings } = await esbuild.build({
      absWorkingDir: links, // names of chunks are made of paths below it: the same wherever checkout and cache are
      entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
      outdir: folder,
      bundle: true,
      splitting: true,
      format: "esm",
      minify: true,
      platform: "node",
      target: "es2024",
      charset: "ascii", // so that the engine need not keep it in two bytes a character
      legalComments: "none",
      conditions: ["import"],
      loader: { ".html": "text" },
      define: { SNOWLUMA_COMMIT: JSON.stringify(commit) },
      nodePaths: [await linkPackages(links, PACKAGES)],
      preserveSymlinks: true, // so that packages find each other by the links
      plugins: [importMap(root), builtins],
    });
    const problems = [...errors, ...warnings].map(({ text }) => text);
    if (problems.length > 0) throw new Error(`Cannot bundle: ${problems.join("; ")}`);
  } finally {
    await esbuild.stop();
    await Deno.remove(links, { recursive: true });
  }
}

/** The `imports` of `deno.json`: what leads to our own files, and names of packages that differ from npm's. */
const importMap = (root: string): esbuild.Plugin => ({
  name: "import map",
  setup(build) {
    const imports: Readonly<Record<string, string>> = config.imports;
    // 154 KB that every start would load
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: join(root, "release", "sdk_shims.ts"),
    }));
    build.onResolve({ filter: /^[@a-z]/ }, ({ path, resolveDir, kind, pluginData }) => {
      const target = imports[path];
      if (target === undefined || pluginData === "mapped") return undefined;
      if (target.startsWith("./")) return { path: join(root, target) };
      const name = target.replace(/^npm:\/?(@?[^@]+)@.*$/, "$1");
      return build.resolve(name, { resolveDir, kind, pluginData: "mapped" });
    });
  },
});

/** Modules of Node.js that a CommonJS package (`ws`) requires by name: in a bundle of ES modules there is no `require`. */
const builtins: esbuild.Plugin = {
  name: "built-in modules",
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      return kind === "require-call" && isBuiltin(path) ? { path, namespace: "built-in" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};
