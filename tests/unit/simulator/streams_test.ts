/** Stream actions over HTTP: frames and downloads. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { generatedFile, generatedLink, startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { type Answer, call, frames, send } from "./support.ts";

Deno.test("frames are chunked envelopes without a content type, each with echo and both texts", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const response = await send(simulator, "test_download_stream", { echo: "e" });
  strictEqual(response.headers.get("content-type"), null);
  strictEqual(response.headers.get("content-length"), null);
  const body = await response.text();
  ok(body.endsWith("}\r\n\r\n"));
  const parts = body.split("\r\n\r\n").slice(0, -1).map((part) => JSON.parse(part));
  strictEqual(parts.length, 11);
  for (const [index, frame] of parts.entries()) {
    strictEqual(frame.data.type, index < 10 ? "stream" : "response");
    deepStrictEqual(
      [frame.status, frame.retcode, frame.message, frame.wording, frame.echo, frame.stream],
      ["ok", 0, "", "", "e", "stream-action"],
    );
  }
});

Deno.test("test_download_stream ends with a failure frame when asked to", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const answers = await frames(simulator, "test_download_stream", { error: true });
  strictEqual(answers.length, 11);
  const last = answers[10] as Answer & { message: string };
  deepStrictEqual([last.status, last.retcode, last.data], ["failed", 100, { type: "error", data_type: "error" }]);
  strictEqual(last.message, last.wording);
});

Deno.test("invalid params of a stream action are a frame, an unknown action is not", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const response = await send(simulator, "upload_file_stream", { stream_id: "" });
  strictEqual(response.status, 200);
  strictEqual(JSON.parse((await response.text()).trimEnd()).retcode, 1400);
  strictEqual((await call(simulator, "no_such_stream")).retcode, 1404);
  const [neither] = await frames(simulator, "download_file_stream");
  strictEqual(neither?.retcode, 100);
});

Deno.test("downloads resolve links and cached media, and refuse private addresses", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const link = await frames(simulator, "download_file_stream", { file: "https://example.com/a.txt", chunk_size: 1 });
  deepStrictEqual([link[0]?.data.file_name, link[0]?.data.chunk_size], ["a.txt", 1]);
  ok(link.length < 20, "links come in the pieces of the network");
  strictEqual(
    (await frames(simulator, "download_file_image_stream", { file_id: "simulated.png" })).at(-1)?.data.type,
    "response",
  );
  for (
    const file of [
      "http://127.0.0.1/x",
      "http://localhost/x",
      "http://[::1]/x",
      "http://10.0.0.1/",
      "/etc/passwd",
      "nothing",
      "https://",
    ]
  ) {
    const answers = await frames(simulator, "download_file_stream", { file });
    deepStrictEqual([answers.length, answers[0]?.retcode], [1, 100], file);
  }
});

Deno.test("download_file_stream reads local files in chunks of chunk_size, 64 KiB by default and 16 MiB at most", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const sizes = async (bytes: number, more: Record<string, unknown>): Promise<number[]> => {
    const answers = await frames(simulator, "download_file_stream", { file: generatedFile(bytes), ...more });
    const chunks = answers.slice(1, -1).map(({ data }) => data);
    for (const { data, size, base64_size } of chunks) {
      deepStrictEqual([data.length, Buffer.from(data, "base64").byteLength], [base64_size, size]);
    }
    return [answers[0]?.data.chunk_size, ...chunks.map(({ size }) => size)];
  };
  deepStrictEqual(await sizes(70_000, {}), [65_536, 65_536, 4_464]);
  deepStrictEqual(await sizes(5, { chunk_size: 2 }), [2, 2, 2, 1]);
  deepStrictEqual(await sizes(20_000_000, { chunk_size: 16_777_216 }), [16_777_216, 16_777_216, 3_222_784]);
  deepStrictEqual(await sizes(20_000_000, { chunk_size: 16_777_217 }), [16_777_216, 16_777_216, 3_222_784]);
  const refused = await frames(simulator, "download_file_stream", { file: generatedFile(5), chunk_size: 0 });
  deepStrictEqual(refused.map(({ retcode }) => retcode), [1400]);
});

Deno.test("download streams take file before file_id, and an empty one for none", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const nameOf = async (params: Record<string, unknown>): Promise<unknown> =>
    (await frames(simulator, "download_file_stream", params))[0]?.data.file_name;
  const [file, file_id] = [generatedFile(1, "a"), generatedLink(1, "b")];
  strictEqual(await nameOf({ file, file_id }), "a");
  strictEqual(await nameOf({ file: "", file_id }), "b");
  const [image] = await frames(simulator, "download_file_record_stream", { file_id: "simulated.png" });
  strictEqual(image?.retcode, 100, "each kind of media has its own action");
});

Deno.test("frames are made while they are sent, delayed ones too", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const file = generatedFile(4_294_967_296);
  simulator.script({ kind: "delay", ms: 1, when: "after", action: "download_file_stream" });
  for (let round = 0; round < 2; round += 1) {
    const before = Deno.memoryUsage().rss;
    // One frame for each of four billion bytes: they would neither fit in memory nor be made in time.
    const response = await send(simulator, "download_file_stream", { file, chunk_size: 1 });
    const reader = response.body?.getReader();
    ok(((await reader?.read())?.value?.byteLength ?? 0) > 0);
    ok(Deno.memoryUsage().rss - before < 300_000_000, "memory stays flat");
    await reader?.cancel();
  }
});
