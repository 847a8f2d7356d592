/** `@std/text` by way of npm; see CONTRIBUTING, "Standard library". */
// @ts-types="./text.d.ts"
export { levenshteinDistance } from "deno-std/text/levenshtein_distance.js";
