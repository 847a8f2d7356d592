/** Types of the functions of `@std/encoding` that this project uses. */
export function encodeBase64(data: string | Uint8Array): string;
export function encodeHex(data: string | Uint8Array): string;
