/** Downloads whose frames are sound one by one, and wrong together. */
import { deepStrictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { chunk, CHUNKED, file, okFrame, type Sent, stays, StreamRig, streams, wire } from "./stream_support.ts";

const [INFO, UNKNOWN, HELLO, DONE] = [file.info(5), file.info(0), file.chunk(0, "hello"), file.complete(1, 5)];

/** What is wrong, and streams that are. */
type Table = Readonly<Record<string, readonly Sent[][]>>;

/** Sends each stream without an end: what is wrong is found before. */
async function refuses(t: Deno.TestContext, rig: StreamRig, table: Table, kind = "invalid_answer"): Promise<void> {
  for (const [says, cases] of Object.entries(table)) {
    await t.step(says, async () => {
      for (const frames of cases) {
        const last = frames.at(-1)?.data as Sent;
        const script = last.type === "response" ? streams(wire(...frames)) : stays(CHUNKED, chunk(wire(...frames)));
        await rig.fails(script, kind, new RegExp(RegExp.escape(says)));
      }
    });
  }
}

Deno.test("frames of a download come in their order", async (t) => {
  verifies("stream-order");
  await using rig = await StreamRig.start();
  await refuses(t, rig, {
    "the stream does not begin with file_info": [
      [HELLO],
      [DONE],
      [file.complete(0, 0)],
      [okFrame({ type: "stream", data_type: "data_chunk", data: "x" })],
      [okFrame({ type: "response" })],
    ],
    "neither file_chunk nor file_complete follows file_info": [
      [INFO, INFO],
      [INFO, HELLO, INFO],
      [INFO, HELLO, okFrame({ type: "stream", data_type: "data_chunk" })],
      [INFO, HELLO, okFrame({ type: "response", data_type: "data_complete" })],
      [INFO, HELLO, file.complete(1, 5, { type: "stream" })],
    ],
    "the stream ends before file_complete": [[INFO, file.chunk(0, "hello", { type: "response" })]],
    "a chunk is out of order": [
      [INFO, file.chunk(1, "hello")],
      [INFO, file.chunk(0, "he"), file.chunk(0, "he")],
      [INFO, file.chunk(0, "he"), file.chunk(2, "llo")],
    ],
  });
});

Deno.test("sizes, totals and bytes of a download agree", async (t) => {
  verifies("stream-agrees");
  await using rig = await StreamRig.start();
  const chunkWith = (fields: Sent): Sent[] => [UNKNOWN, file.chunk(0, "hello", fields)];
  await refuses(t, rig, {
    "size is not the size of the chunk": [4, 6, 0].map((size) => chunkWith({ size })),
    "a chunk is not base64": ["aGVsbG8", "aGVs bG8=", "aGVsbG8=\n", "aGVsbG8-", "aGVsbG9=", "aGVsbG8==", "hello"]
      .map((data) => chunkWith({ data })),
    "more bytes come than file_info announced": [[file.info(4), HELLO], [file.info(5), HELLO, file.chunk(1, "x")]],
    "fewer bytes came than file_info announced": [[file.info(6), HELLO, DONE], [file.info(1), file.complete(0, 0)]],
    "total_chunks is not the number of chunks": [0, 2].map((chunks) => [INFO, HELLO, file.complete(chunks, 5)]),
    "total_bytes is not the number of bytes": [0, 4, 6].map((bytes) => [INFO, HELLO, file.complete(1, bytes)]),
    "a frame is malformed: its total_bytes is no whole number from 0": [
      [INFO, HELLO, file.complete(1, 5, { total_bytes: "5" })],
    ],
    "a frame is malformed: its file_size is no whole number from 0": [[file.info(5, { file_size: "5" })]],
    "a frame is malformed: its file_name is no text": [[file.info(5, { file_name: null })]],
  });
});

Deno.test("a file above the limit is refused by its size, or once it has more bytes", async (t) => {
  verifies("frames-capped");
  const max = { SNOWLUMA_MCP_MAX_STREAM_BYTES: "5" };
  await using rig = await StreamRig.start({ timeoutMs: 5_000, env: max });
  await rig.succeeds(streams(wire(INFO, HELLO, DONE)), "hello");
  await rig.succeeds(streams(wire(UNKNOWN, HELLO, DONE)), "hello");
  const limit = " than the limit of 5 (SNOWLUMA_MCP_MAX_STREAM_BYTES)";
  await refuses(t, rig, {
    [`the file has 6 bytes, more${limit}`]: [[file.info(6)]],
    [`more bytes came${limit}`]: [[UNKNOWN, file.chunk(0, "hello!")], [UNKNOWN, HELLO, file.chunk(1, "!")]],
  }, "too_large");
});

Deno.test("every action whose frames are a file saves it, and takes no other frames", async (t) => {
  verifies("stream-chosen", "download-result", "stream-order");
  await using rig = await StreamRig.start();
  for (const action of ["download_file_stream", "download_file_image_stream", "download_file_record_stream"]) {
    await t.step(action, async () => {
      const args = { action, params: { file: "x" } };
      const { terminal, frame_count } = await rig.succeeds(streams(wire(INFO, HELLO, DONE)), "hello", args);
      deepStrictEqual([terminal, frame_count], [DONE.data, 3]);
      const other = wire(okFrame({ type: "stream", data_type: "data_chunk", data: "x" }));
      const says = new RegExp(`^Cannot call ${action}: the stream does not begin with file_info$`);
      await rig.fails(stays(CHUNKED, chunk(other)), "invalid_answer", says, args);
    });
  }
});
