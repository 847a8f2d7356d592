/** Downloads as frames. The content is a former upload, or a small made-up text for links and cached media. */
import { Buffer } from "node:buffer";
import { ActionFailure } from "../failure.ts";
import type { Media } from "../media_cache.ts";
import type { Params } from "../params.ts";
import { baseName } from "../sources.ts";
import type { World } from "../world.ts";
import type { StreamHandler } from "./handler.ts";

/** Chunk size when none is asked for, and the largest, in bytes. */
const DEFAULT_CHUNK_BYTES = 65_536;
const MAX_CHUNK_BYTES = 16_777_216;

/** Links arrive in the pieces of the network, whatever chunk size is asked for; these are such pieces. */
const NETWORK_BYTES = 1_400;

/** Frames of the test stream before its last one. */
const TEST_FRAMES = 10;

interface Content {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the chunk size is honored. */
  readonly isLocal: boolean;
}

export const downloadFileStream: StreamHandler = (params, world) => download(params, world, ["image", "record"]);
export const downloadImageStream: StreamHandler = (params, world) => download(params, world, ["image"]);
export const downloadRecordStream: StreamHandler = (params, world) => download(params, world, ["record"]);

export const testDownloadStream: StreamHandler = function* (params): Generator<unknown> {
  for (let index = 1; index <= TEST_FRAMES; index += 1) {
    yield { type: "stream", data_type: "data_chunk", data: `This is chunk ${index} of ${TEST_FRAMES}` };
  }
  if (params.flag("error")) throw new ActionFailure("Test error as requested");
  yield { type: "response", data_type: "data_complete", data: "Stream transmission complete" };
};

function* download(params: Params, world: World, kinds: readonly Media["kind"][]): Generator<unknown> {
  const source = params.firstText("file", "file_id");
  if (source === "") throw new ActionFailure("file or file_id is required");
  const { name, bytes, isLocal } = resolve(source, world, kinds);
  const chunkBytes = Math.min(params.optionalInt("chunk_size") ?? DEFAULT_CHUNK_BYTES, MAX_CHUNK_BYTES);
  const total = bytes.byteLength;
  yield { type: "stream", data_type: "file_info", file_name: name, file_size: total, chunk_size: chunkBytes };
  const step = isLocal ? chunkBytes : NETWORK_BYTES;
  let index = 0;
  for (let at = 0; at < total; at += step) {
    const chunk = bytes.subarray(at, at + step);
    const data = Buffer.from(chunk).toString("base64");
    yield {
      type: "stream",
      data_type: "file_chunk",
      index,
      data,
      size: chunk.byteLength,
      progress: Math.floor(100 * (at + chunk.byteLength) / total),
      base64_size: data.length,
    };
    index += 1;
  }
  yield {
    type: "response",
    data_type: "file_complete",
    file_name: name,
    total_chunks: index,
    total_bytes: total,
    message: "Download complete",
  };
}

/** First a file on the host, then a link, then something cached. */
function resolve(source: string, world: World, kinds: readonly Media["kind"][]): Content {
  const stored = world.uploads.file(source);
  if (stored !== undefined) return { name: stored.name, bytes: Buffer.concat(stored.chunks), isLocal: true };
  if (/^https?:\/\//i.test(source)) {
    refusePrivateHost(new URL(source).hostname);
    return { name: baseName(source) || "download", bytes: generated(source), isLocal: false };
  }
  const media = world.media.find(source, kinds);
  if (media !== undefined) return { name: media.name, bytes: generated(media.name), isLocal: false };
  throw new ActionFailure(`cannot resolve ${source}`);
}

/** The bot refuses addresses of its own network; here names are not resolved, only literal ones are seen. */
function refusePrivateHost(hostname: string): void {
  if (/^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.|\[)/i.test(hostname)) {
    throw new ActionFailure(`address not allowed: ${hostname}`);
  }
}

/** A few kilobytes that are the same for the same name. */
function generated(name: string): Uint8Array {
  return new TextEncoder().encode(`Simulated content of ${name}.\n`.repeat(100));
}
