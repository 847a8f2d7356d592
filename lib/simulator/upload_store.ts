/**
 * Files that arrive in chunks and the merged files they become, in memory. The rules are those of the bot;
 * only the limit on size is smaller, because a simulator has no disk.
 */
import { Buffer } from "node:buffer";
import { sha256Hex } from "./digest.ts";
import { ActionFailure } from "./failure.ts";
import { nameToKeep } from "./stored.ts";
import { STREAM_ROOT, type StreamFile } from "./stream_folder.ts";

/** Chunks and merged files together, in bytes (64 MiB); a chunk that does not fit is refused. */
export const MAX_STORED_BYTES = 67_108_864;

/** Largest decoded chunk, in bytes (32 MiB). */
export const MAX_CHUNK_BYTES = 33_554_432;

/** Chunks of one upload. */
const MAX_CHUNKS = 200_000;

/** Merged files; empty ones take no bytes, so they have to be counted too. */
const MAX_MERGED_FILES = 10_000;

/** Uploads at the same time. */
export const MAX_UPLOADS = 64;

/** An upload is dropped this long after its last stored chunk, in milliseconds. */
export const IDLE_MS = 600_000;

/** Missing indexes that a refusal lists. */
const LISTED_INDEXES = 16;

/** An upload under way. */
export interface Upload {
  readonly id: string;
  readonly totalChunks: number;
  readonly fileName: string;
  readonly retentionMs: number;
  readonly chunks: Map<number, Uint8Array>;
  expectedSha256: string;
  touchedAt: number;
}

/** A merged file on the simulated host. */
interface StoredFile extends StreamFile {
  readonly path: string;
  readonly sha256: string;
  /** Milliseconds since 1970; Infinity keeps it. */
  readonly expiresAt: number;
}

export class UploadStore {
  readonly #uploads = new Map<string, Upload>();
  readonly #files = new Map<string, StoredFile>();
  readonly #root: string;
  readonly #clock: () => number;
  #bytes = 0;

  constructor(userId: number, clock: () => number) {
    this.#root = `${STREAM_ROOT}/upload/${userId}`;
    this.#clock = clock;
  }

  find(id: string): Upload | undefined {
    this.#dropExpired();
    return this.#uploads.get(id);
  }

  create(id: string, options: { totalChunks: number; fileName: string; retentionMs: number }): Upload {
    if (this.#uploads.size >= MAX_UPLOADS) throw new ActionFailure("too many concurrent uploads");
    if (options.totalChunks > MAX_CHUNKS) throw new ActionFailure(`total_chunks exceeds ${MAX_CHUNKS}`);
    const fileName = nameToKeep(options.fileName.replace(/[\/\\]/g, "_").replace(/^\.+/, "_") || "file");
    const upload: Upload = {
      ...options,
      id,
      fileName,
      chunks: new Map(),
      expectedSha256: "",
      touchedAt: this.#clock(),
    };
    this.#uploads.set(id, upload);
    return upload;
  }

  /** Stores a chunk; one that is there already is left as it is, also when the data differs. */
  put(upload: Upload, index: number, chunk: Uint8Array): void {
    if (index >= upload.totalChunks) throw new ActionFailure(`chunk_index ${index} is not below ${upload.totalChunks}`);
    if (chunk.byteLength > MAX_CHUNK_BYTES) throw new ActionFailure(`chunk exceeds ${MAX_CHUNK_BYTES} bytes`);
    if (upload.chunks.has(index)) return;
    if (this.#bytes + chunk.byteLength > MAX_STORED_BYTES) {
      throw new ActionFailure(`the simulator stores at most ${MAX_STORED_BYTES} bytes of uploads`);
    }
    upload.chunks.set(index, chunk);
    upload.touchedAt = this.#clock();
    this.#bytes += chunk.byteLength;
  }

  /** Merges a complete upload. A wrong digest leaves the upload as it is; success forgets it. */
  complete(upload: Upload): StoredFile {
    const missing = missingIndexes(upload);
    if (missing.length > 0) throw new ActionFailure(`missing chunks: ${missing.join(", ")}`);
    const chunks = Array.from(
      { length: upload.totalChunks },
      (_, index) => upload.chunks.get(index) ?? new Uint8Array(),
    );
    const sha256 = sha256Hex(chunks);
    // Compared as text, so upper-case digits never match.
    if (upload.expectedSha256 !== "" && upload.expectedSha256 !== sha256) {
      throw new ActionFailure(`SHA256 mismatch: expected ${upload.expectedSha256}, got ${sha256}`);
    }
    if (this.#files.size >= MAX_MERGED_FILES) {
      throw new ActionFailure(`the simulator stores at most ${MAX_MERGED_FILES} merged files`);
    }
    const bytes = Buffer.concat(chunks);
    const file: StoredFile = {
      path: `${this.#root}/${upload.id}__${upload.fileName}`,
      name: upload.fileName,
      sizeBytes: bytes.byteLength,
      read: (at, length) => bytes.subarray(at, at + length),
      sha256,
      expiresAt: upload.retentionMs === 0 ? Infinity : this.#clock() + upload.retentionMs,
    };
    this.#uploads.delete(upload.id);
    this.#deleteFile(file.path);
    this.#files.set(file.path, file);
    return file;
  }

  /** Drops an upload under way and its chunks; unknown ids are fine. */
  discard(id: string): void {
    for (const chunk of this.#uploads.get(id)?.chunks.values() ?? []) this.#bytes -= chunk.byteLength;
    this.#uploads.delete(id);
  }

  /** The merged file at a path, until its retention ends. */
  file(path: string): StoredFile | undefined {
    this.#dropExpired();
    return this.#files.get(path);
  }

  /** Deletes all merged files and says how many; uploads under way stay. */
  clean(): number {
    this.#dropExpired();
    const count = this.#files.size;
    for (const path of [...this.#files.keys()]) this.#deleteFile(path);
    return count;
  }

  #deleteFile(path: string): void {
    this.#bytes -= this.#files.get(path)?.sizeBytes ?? 0;
    this.#files.delete(path);
  }

  #dropExpired(): void {
    const now = this.#clock();
    for (const { id, touchedAt } of [...this.#uploads.values()]) if (now - touchedAt >= IDLE_MS) this.discard(id);
    for (const { path, expiresAt } of [...this.#files.values()]) if (now >= expiresAt) this.#deleteFile(path);
  }
}

function missingIndexes(upload: Upload): number[] {
  const missing: number[] = [];
  for (let index = 0; index < upload.totalChunks && missing.length < LISTED_INDEXES; index += 1) {
    if (!upload.chunks.has(index)) missing.push(index);
  }
  return missing;
}
