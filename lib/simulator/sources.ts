/**
 * Media and file sources: `base64://…`, http(s) URLs, `file://` URLs and paths of the bot host.
 *
 * The simulator opens no file and no connection. Of base64 data it knows the size; of anything else it
 * takes the name from the source and a size that depends on the name alone.
 */
import { Buffer } from "node:buffer";
import { md5Hex } from "./digest.ts";
import { ActionFailure } from "./failure.ts";

/** Host of every link the simulator hands out; `.invalid` names resolve nowhere. */
export const LINK_BASE = "https://simulator.invalid";

/** What is known about a source. */
export interface Source {
  readonly name: string;
  readonly sizeBytes: number;
  /** Upper-case MD5 of the content, or of the source text when the content is out of reach. */
  readonly md5: string;
  readonly url: string;
}

/** @throws ActionFailure if the content is empty. */
export function describeSource(source: string): Source {
  if (source.startsWith("base64://")) {
    // Like the bot, this skips invalid characters instead of reporting them.
    const bytes = Buffer.from(source.slice("base64://".length), "base64");
    if (bytes.byteLength === 0) throw new ActionFailure("file is empty");
    const md5 = md5Hex(bytes).toUpperCase();
    return { name: md5, sizeBytes: bytes.byteLength, md5, url: link(md5) };
  }
  const md5 = md5Hex(source).toUpperCase();
  const isLink = /^https?:\/\//i.test(source);
  return { name: baseName(source) || md5, sizeBytes: madeUpSize(md5), md5, url: isLink ? source : link(md5) };
}

function link(md5: string): string {
  return `${LINK_BASE}/media/${md5}`;
}

/** 1 to 64 KiB, always the same for the same source. */
function madeUpSize(md5: string): number {
  return 1024 + Number.parseInt(md5.slice(0, 4), 16) % 64_512;
}

/** Last part of a path or URL, for either kind of slash, without a query. */
export function baseName(path: string): string {
  const plain = path.replace(/^[a-z]+:\/\//i, "").replace(/[?#].*$/, "");
  const name = plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
