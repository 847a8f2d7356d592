/** `upload_file_stream`: many calls make one file, and each call has exactly one frame. */
import { Buffer } from "node:buffer";
import { ActionFailure } from "../failure.ts";
import type { Params } from "../params.ts";
import { textToKeep } from "../stored.ts";
import { MAX_STREAM_BYTES } from "../stream_folder.ts";
import type { Upload } from "../upload_store.ts";
import type { World } from "../world.ts";
import type { StreamHandler } from "./handler.ts";

export const uploadFileStream: StreamHandler = (params, world) => [answer(params, world)];

function answer(params: Params, world: World): unknown {
  const id = params.text("stream_id");
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw new ActionFailure("stream_id: 1 to 128 letters, digits, _ and -");
  if (params.flag("reset")) {
    world.uploads.discard(id);
    // Even a reset that worked is told as a failure.
    throw new ActionFailure("Stream reset completed");
  }
  const known = world.uploads.find(id);
  if (params.flag("verify_only")) {
    if (known === undefined) throw new ActionFailure(`stream ${id} not found`);
    return acknowledged(known, "file_created");
  }
  const upload = known ?? create(params, world, id);
  if (params.has("expected_sha256")) {
    upload.expectedSha256 = textToKeep("expected_sha256", params.text("expected_sha256"));
  }
  const index = params.optionalInt("chunk_index");
  // A chunk is both params together; `is_complete` beside one is not looked at.
  if (index !== undefined && params.raw("chunk_data") !== undefined) {
    world.uploads.put(upload, index, Buffer.from(params.text("chunk_data"), "base64"));
    return acknowledged(upload, "chunk_received");
  }
  const isFull = upload.chunks.size === upload.totalChunks;
  if (!isFull && !params.flag("is_complete")) return acknowledged(upload, "file_created");
  const file = world.uploads.complete(upload);
  return {
    type: "response",
    stream_id: id,
    status: "file_complete",
    received_chunks: upload.chunks.size,
    total_chunks: upload.totalChunks,
    file_path: file.path,
    file_size: file.sizeBytes,
    sha256: file.sha256,
  };
}

function create(params: Params, world: World, id: string): Upload {
  const totalChunks = params.optionalInt("total_chunks");
  if (totalChunks === undefined) throw new ActionFailure("total_chunks is required to create a stream");
  if ((params.optionalInt("file_size") ?? 0) > MAX_STREAM_BYTES) {
    throw new ActionFailure(`file_size exceeds ${MAX_STREAM_BYTES} bytes`);
  }
  return world.uploads.create(id, {
    totalChunks,
    fileName: params.text("filename"),
    retentionMs: params.int("file_retention"),
  });
}

/** The last frame of its call, although its type says `stream`. */
function acknowledged(upload: Upload, status: "chunk_received" | "file_created"): unknown {
  return {
    type: "stream",
    stream_id: upload.id,
    status,
    received_chunks: upload.chunks.size,
    total_chunks: upload.totalChunks,
  };
}
