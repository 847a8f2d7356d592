/** `@std/streams` by way of npm; see CONTRIBUTING, "Standard library". */
// @ts-types="./streams.d.ts"
export { TextLineStream, toText } from "deno-std/streams/mod.js";
