/** `@std/encoding` by way of npm; see CONTRIBUTING, "Standard library". */
// @ts-types="./encoding.d.ts"
export { encodeBase64, encodeHex } from "deno-std/encoding/mod.js";
