/** Generated files: any size, any name, the same bytes each time, made while they are read. */
import { deepStrictEqual, notStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { generatedFile, generatedLink, generatedSha256, startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { type Answer, data, frames, refusal, send } from "./support.ts";

const LARGEST = 4_294_967_296;

function chunks(answers: Answer[]): Buffer[] {
  return answers.slice(1, -1).map((frame) => Buffer.from(frame.data.data, "base64"));
}

function sha256(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

Deno.test("generatedFile() is downloaded in chunks whose digest is generatedSha256()", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  for (const bytes of [0, 1, 65_536, 65_537, 3_000_000]) {
    const answers = await frames(simulator, "download_file_stream", { file: generatedFile(bytes) });
    const file_name = `${bytes}.bin`;
    const info = { type: "stream", data_type: "file_info", file_name, file_size: bytes, chunk_size: 65_536 };
    deepStrictEqual(answers[0]?.data, info);
    const parts = chunks(answers);
    strictEqual(parts.length, Math.ceil(bytes / 65_536));
    strictEqual(sha256(parts), generatedSha256(bytes));
    strictEqual(answers.at(-1)?.data.total_bytes, bytes);
    // Nothing is alike: one lost and one swapped chunk show in the digest.
    const digests = new Set(parts.map((part) => sha256([part])));
    strictEqual(digests.size, parts.length);
  }
});

Deno.test("generatedFile() may have 4 GiB, whose first frames come at once", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const response = await send(simulator, "download_file_stream", { file: generatedFile(LARGEST) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader?.read())?.value ?? "";
  strictEqual(JSON.parse(first.split("\r\n\r\n", 1)[0] ?? "").data.file_size, LARGEST);
  await reader?.cancel();
  for (const bytes of [-1, 0.5, LARGEST + 1, NaN]) throws(() => generatedFile(bytes), RangeError);
  const file = generatedFile(LARGEST).replace("296", "297");
  notStrictEqual(file, generatedFile(LARGEST));
  const [answer] = await frames(simulator, "download_file_stream", { file });
  deepStrictEqual([answer?.retcode, answer?.wording], [100, "file exceeds 4294967296 bytes"]);
});

Deno.test("generatedFile() and generatedLink() pass any name on", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  for (const name of ["../../evil.txt", "..", "", "a/b\\c", "CON", "群 %2F?#.bin", "\u0000\n\u202e"]) {
    for (const file of [generatedFile(3, name), generatedLink(3, name)]) {
      const answers = await frames(simulator, "download_file_stream", { file });
      deepStrictEqual([answers[0]?.data.file_name, answers.at(-1)?.data.file_name], [name, name]);
      strictEqual(sha256(chunks(answers)), generatedSha256(3));
    }
  }
  throws(() => generatedFile(3, "\ud800"), URIError);
});

Deno.test("generatedLink() has no known size and comes in pieces of the network", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const file = generatedLink(40_000, "video.mp4");
  const answers = await frames(simulator, "download_file_stream", { file, chunk_size: 1_000 });
  deepStrictEqual(answers[0]?.data, {
    type: "stream",
    data_type: "file_info",
    file_name: "video.mp4",
    file_size: 0,
    chunk_size: 1_000,
  });
  deepStrictEqual(
    answers.slice(1, -1).map(({ data }) => [data.index, data.size, data.progress]),
    [[0, 1_400, 0], [1, 16_384, 0], [2, 1_400, 0], [3, 16_384, 0], [4, 1_400, 0], [5, 3_032, 0]],
  );
  strictEqual(sha256(chunks(answers)), generatedSha256(40_000));
  deepStrictEqual([answers.at(-1)?.data.total_chunks, answers.at(-1)?.data.total_bytes], [6, 40_000]);
});

Deno.test("a generated file can be sent, under its name and with its size", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const file = generatedFile(1_234_567, "data.bin");
  const message = { type: "file", data: { file } };
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message });
  const [segment] = (await data(simulator, "get_msg", { message_id })).message;
  deepStrictEqual([segment.data.file, segment.data.size], ["data.bin", 1_234_567]);
  await refusal(simulator, "upload_group_file", { group_id: 20001, file: generatedFile(0) }, 100);
});
