/** Whose parameters a file upload sets by itself. */

/** The action that takes files. */
export const UPLOAD_ACTION = "upload_file_stream";

/** Parameters that the transfer sets by itself; a caller may not. */
export const OWNED_PARAMS: readonly string[] = [
  ...["stream_id", "chunk_data", "chunk_index", "total_chunks", "file_size", "expected_sha256"],
  ...["is_complete", "reset", "verify_only"],
];
