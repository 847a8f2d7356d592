/** `@std/path` by way of npm; see CONTRIBUTING, "Standard library". */
// @ts-types="./path.d.ts"
export { dirname, fromFileUrl, join, resolve } from "deno-std/path/mod.js";
