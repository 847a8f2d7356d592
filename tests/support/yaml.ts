/** `@std/yaml` by way of npm; see CONTRIBUTING, "Standard library". */
// @ts-types="./yaml.d.ts"
export { parse } from "deno-std/yaml/mod.js";
