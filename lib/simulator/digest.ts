/** Digests as the bot uses them for ids. They identify, they do not protect. */
import { createHash } from "node:crypto";

export function sha1(text: string): Uint8Array {
  return createHash("sha1").update(text).digest();
}

export function sha1Hex(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

export function sha256Hex(parts: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

export function md5Hex(content: string | Uint8Array): string {
  return createHash("md5").update(content).digest("hex");
}
