/** Which module may import which: the table of ARCHITECTURE.md, held against the import graph of lib/. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { verifies } from "../requirements.ts";
import { parseSource, readSources, resolveImport, type SourceFile } from "./source.ts";

/** Layers by number; what is in no row is in no layer, which is a failure. */
const LAYERS: ReadonlyArray<readonly RegExp[]> = [
  [/^lib\/(errors|outcome|version)\.ts$/, /^lib\/std\/[^/]+\.ts$/],
  [
    /^lib\/(catalog|policy|config|completion)\/[^/]+\.ts$/,
    /^lib\/onebot\/(draft|envelope|exchange|lossless_json|call_body|http_request|http_response|frame_splitter|frame|stream_fault)\.ts$/,
    /^lib\/files\/file_name\.ts$/,
    /^lib\/(redact|printable|slots|verdict|trace|progress)\.ts$/,
    /^lib\/events\/(event|event_uri|filter|buffer|pacer)\.ts$/,
    /^lib\/tasks\/(record|summary|task_page|transitions)\.ts$/,
  ],
  [
    /^lib\/onebot\/(http_client|lifeline|socket)\.ts$/,
    /^lib\/files\/[^/]+\.ts$/,
    /^lib\/(log|granted)\.ts$/,
    /^lib\/events\/(socket|socket_end)\.ts$/,
    /^lib\/tasks\/(atomic_write|lease|private_file|scope|storage_failure|store|task_folder)\.ts$/,
  ],
  [
    /^lib\/(executor|connection_check)\.ts$/,
    /^lib\/transfer\/[^/]+\.ts$/,
    /^lib\/events\/(hub|link|resource)\.ts$/,
    /^lib\/tasks\/(runner|running_task)\.ts$/,
  ],
  [/^lib\/(tools|mcp)\/[^/]+\.ts$/],
  [/^lib\/host\/[^/]+\.ts$/, /^lib\/create_server\.ts$/],
  [/^lib\/(cli|sandbox)\/[^/]+\.ts$/],
];
/** The public surface may show everything but the process's own layer. */
const SURFACE = "lib/mod.ts";
const SURFACE_LAYER = 5;
const SIMULATOR = /^lib\/simulator\//;
const DATA = ["deno.json", "catalog/catalog.json", "lib/tools/input_schemas.json", "ui/panel.html"];
/** Where the words of the catalog are explained; one module hands them on, as types alone. */
const AUTHORED_TYPES = ["catalog/action.ts", "catalog/snapshot.ts"];
const TYPES = "lib/catalog/types.ts";

function layerOf(path: string): number | undefined {
  const layer = LAYERS.findIndex((patterns) => patterns.some((pattern) => pattern.test(path)));
  return layer === -1 ? undefined : layer;
}

/** Imports that lead to our own files. */
function ownImports({ path, imports }: SourceFile): string[] {
  return imports.map((specifier) => resolveImport(path, specifier, config.imports))
    .filter((target) => /^(lib|catalog|ui)\//.test(target) || target === "deno.json");
}

/** What is wrong with one file's imports, one sentence each. */
function violations(file: SourceFile): string[] {
  const { path } = file;
  return ownImports(file).flatMap((target) => {
    const wrong = [`${path} imports ${target}`];
    if (DATA.includes(target) || (path === TYPES && AUTHORED_TYPES.includes(target))) return [];
    if (SIMULATOR.test(path)) {
      const fine = SIMULATOR.test(target) || target === "lib/catalog/types.ts" || target.startsWith("lib/std/");
      return fine ? [] : wrong;
    }
    if (SIMULATOR.test(target)) return path.startsWith("lib/cli/") ? [] : wrong;
    const own = path === SURFACE ? SURFACE_LAYER : layerOf(path);
    const other = layerOf(target);
    return own !== undefined && other !== undefined && other <= own ? [] : wrong;
  });
}

/** Cycles between files, each as the list of its files. */
function findCycles(files: readonly SourceFile[]): string[][] {
  const graph = new Map(
    files.map((file) => [file.path, ownImports(file).filter((target) => target.startsWith("lib/"))]),
  );
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path]);
    else if (!done.has(path)) {
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

Deno.test("every module of lib/ has a layer", async () => {
  verifies("layers");
  const files = await readSources("lib");
  ok(files.length > 80, `${files.length} files were found`);
  const homeless = files.filter(({ path }) =>
    path !== SURFACE && !SIMULATOR.test(path) && !path.endsWith(".d.ts") && layerOf(path) === undefined
  );
  deepStrictEqual(homeless.map(({ path }) => path), []);
});

Deno.test("a module imports only from its own layer and those above it", async () => {
  verifies("layers");
  const files = await readSources("lib");
  const imports = files.flatMap(ownImports);
  ok(imports.length > 200, `${imports.length} imports were found`);
  deepStrictEqual(files.flatMap(violations), []);
});

Deno.test("the catalog's authored side reaches lib/ as types alone, and takes nothing back", async () => {
  verifies("layers");
  const [types] = await readSources(TYPES);
  ok(types !== undefined && types.imports.length > 0);
  deepStrictEqual([...types.code.matchAll(/\b(?:import|export)\b(?! type )/g)].map(([word]) => word), []);
  for (const file of await readSources(...AUTHORED_TYPES)) {
    deepStrictEqual(ownImports(file).filter((target) => target.startsWith("lib/")), [], file.path);
  }
});

Deno.test("of the panel the server takes the built page alone, and the panel takes nothing of the server", async () => {
  verifies("layers");
  const takers = (await readSources("lib")).filter((file) =>
    ownImports(file).some((target) => target.startsWith("ui/"))
  );
  deepStrictEqual(takers.map(({ path }) => path), ["lib/mcp/panel_resource.ts"]);
  for (const file of await readSources("ui")) {
    const outside = file.imports.filter((specifier) => !specifier.startsWith("./"));
    const wanted = file.path === "ui/build.ts"
      ? /^(@std\/|esbuild$|\.\.\/release\/packages\.ts$)/
      : /^@modelcontextprotocol\/ext-apps$/;
    deepStrictEqual(outside.filter((specifier) => !wanted.test(specifier)), [], file.path);
  }
});

Deno.test("no imports go round in a circle", async () => {
  verifies("layers");
  deepStrictEqual(findCycles(await readSources("lib")), []);
});

Deno.test("lib/ imports nothing of tests, and npm packages only by the names of deno.json", async () => {
  verifies("layers", "pins");
  for (const { path, imports } of await readSources("lib", "main.ts")) {
    for (const specifier of imports) {
      const known = Object.keys(config.imports).some((name) =>
        specifier === name || specifier.startsWith(`${name.replace(/\/$/, "")}/`)
      );
      ok(specifier.startsWith(".") || specifier.startsWith("node:") || known, `${path} imports ${specifier}`);
      ok(!resolveImport(path, specifier).startsWith("tests/"), `${path} imports ${specifier}`);
    }
  }
});

Deno.test("the graph sees what it has to see", () => {
  verifies("layers");
  const file = (path: string, text: string): SourceFile => parseSource(path, text);
  const forbidden: Array<[path: string, text: string]> = [
    ["lib/errors.ts", 'import { a } from "./executor.ts";'],
    ["lib/errors.ts", 'import type { a } from "./log.ts";'],
    ["lib/policy/gate.ts", 'export * from "../log.ts";'],
    ["lib/policy/gate.ts", 'const x = await import("../mcp/server.ts");'],
    ["lib/executor.ts", 'import {\n  a,\n  b,\n} from "./tools/call.ts";'],
    ["lib/mcp/server.ts", 'import "../cli/run.ts";'],
    ["lib/mcp/server.ts", 'import { s } from "../simulator/mod.ts";'],
    ["lib/mod.ts", 'export { r } from "./cli/run.ts";'],
    ["lib/simulator/mod.ts", 'import { l } from "../log.ts";'],
    ["lib/unknown.ts", 'import { l } from "./log.ts";'],
    ["lib/tools/call.ts", 'import { l } from "../unknown.ts";'],
    ["lib/mcp/panel_resource.ts", 'import { d } from "../../ui/draft.ts";'],
  ];
  for (const [path, text] of forbidden) strictEqual(violations(file(path, text)).length, 1, `${path}: ${text}`);
  const allowed: Array<[path: string, text: string]> = [
    ["lib/mcp/server.ts", 'import { a } from "../tools/call.ts";'],
    ["lib/cli/run.ts", 'const s = await import("../simulator/mod.ts");'],
    ["lib/catalog/action_index.ts", 'import { l } from "@std/text"; // import { x } from "../cli/run.ts";'],
    ["lib/catalog/action_index.ts", '/* import { x } from "../cli/run.ts"; */ import("../../catalog/catalog.json")'],
  ];
  for (const [path, text] of allowed) deepStrictEqual(violations(file(path, text)), [], `${path}: ${text}`);
  const circle = [
    file("lib/a.ts", 'import "./b.ts";'),
    file("lib/b.ts", 'export { c } from "./c.ts";'),
    file("lib/c.ts", 'import type { a } from "./a.ts";'),
  ];
  deepStrictEqual(findCycles(circle), [["lib/a.ts", "lib/b.ts", "lib/c.ts", "lib/a.ts"]]);
});
