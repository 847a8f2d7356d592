/** Downloads as frames: files of the stream folder, links, and cached media. Nothing is read from disk or network. */
import { Buffer } from "node:buffer";
import { ActionFailure } from "../failure.ts";
import { generatedAt } from "../generated.ts";
import { isInternalHost } from "../internal_hosts.ts";
import type { Media } from "../media_cache.ts";
import type { Params } from "../params.ts";
import { baseName, LINK_BASE } from "../sources.ts";
import { findStreamFile } from "../stream_files.ts";
import { hostPath, type StreamFile } from "../stream_folder.ts";
import type { World } from "../world.ts";
import type { StreamHandler } from "./handler.ts";

/** Chunk size when none is asked for, and the largest, in bytes. */
const DEFAULT_CHUNK_BYTES = 65_536;
const MAX_CHUNK_BYTES = 16_777_216;

/** Sizes of the pieces in which links arrive, in turn, in bytes: about a packet, and a whole TLS record. */
const NETWORK_BYTES = [1_400, 16_384] as const;

/** Frames of the test stream before its last one. */
const TEST_FRAMES = 10;

/** What a download turned out to be. */
interface Content {
  readonly file: StreamFile;
  /** Whether the chunk size is honored. */
  readonly isLocal: boolean;
  /** Whether the size is known before the end. */
  readonly isSizeKnown: boolean;
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
  const { file, isLocal, isSizeKnown } = resolve(source, world, kinds);
  const chunkBytes = Math.min(params.optionalInt("chunk_size") ?? DEFAULT_CHUNK_BYTES, MAX_CHUNK_BYTES);
  const file_size = isSizeKnown ? file.sizeBytes : 0;
  yield { type: "stream", data_type: "file_info", file_name: file.name, file_size, chunk_size: chunkBytes };
  let index = 0;
  for (let sent = 0; sent < file.sizeBytes;) {
    const chunk = file.read(sent, isLocal ? chunkBytes : NETWORK_BYTES[index % 2 === 0 ? 0 : 1]);
    sent += chunk.byteLength;
    const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("base64");
    yield {
      type: "stream",
      data_type: "file_chunk",
      index,
      data,
      size: chunk.byteLength,
      progress: isSizeKnown ? Math.floor(100 * sent / file.sizeBytes) : 0,
      base64_size: data.length,
    };
    index += 1;
  }
  yield {
    type: "response",
    data_type: "file_complete",
    file_name: file.name,
    total_chunks: index,
    total_bytes: file.sizeBytes,
    message: "Download complete",
  };
}

/** First a file on the host, then a link, then something cached. */
function resolve(source: string, world: World, kinds: readonly Media["kind"][]): Content {
  const path = hostPath(source);
  if (path !== undefined) {
    const file = findStreamFile(path, world);
    if (file === undefined) throw new ActionFailure(`file is outside of the stream folder: ${source}`);
    return { file, isLocal: true, isSizeKnown: true };
  }
  if (/^https?:/i.test(source)) return resolveLink(source);
  const media = world.media.find(source, kinds);
  if (media !== undefined) return { file: madeUpFile(media.name, media.name), isLocal: false, isSizeKnown: true };
  throw new ActionFailure(`cannot resolve ${source}`);
}

function resolveLink(source: string): Content {
  const url = URL.parse(source);
  if (url === null) throw new ActionFailure(`not a valid URL: ${source}`);
  if (isInternalHost(url.hostname)) throw new ActionFailure(`address not allowed: ${url.hostname}`);
  const generated = url.origin === LINK_BASE ? generatedAt(url.pathname) : undefined;
  if (generated !== undefined) return { file: generated, isLocal: false, isSizeKnown: false };
  return { file: madeUpFile(baseName(source) || "download", source), isLocal: false, isSizeKnown: true };
}

/** A few kilobytes that are the same for the same source. */
function madeUpFile(name: string, source: string): StreamFile {
  const bytes = new TextEncoder().encode(`Simulated content of ${source}.\n`.repeat(100));
  return { name, sizeBytes: bytes.byteLength, read: (at, length) => bytes.subarray(at, at + length) };
}
