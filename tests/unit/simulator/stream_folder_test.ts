/** Downloads of local files: only what lies in the stream folder. */
import { deepStrictEqual, match, ok } from "node:assert/strict";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { base64, frames, upload } from "./support.ts";

const ROOT = "/tmp/snowluma-stream";

Deno.test("download_file_stream reads a former upload by any spelling that stays in the stream folder", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const filename = "50% 群#?.txt";
  const chunk = { total_chunks: 1, chunk_index: 0, chunk_data: base64("hello") };
  await upload(simulator, { stream_id: "s", filename, ...chunk });
  const path: string = (await upload(simulator, { stream_id: "s" })).data.file_path;
  ok(path.startsWith(`${ROOT}/`));
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  for (
    const file of [
      path,
      path.replace("/upload/", "//upload/./x/../"),
      `file://${encoded}`,
      `FILE://localhost${encoded}`,
      `file://${encoded.replace("/upload/", "/%2e%2E/snowluma-stream/upload/")}`,
    ]
  ) {
    const answers = await frames(simulator, "download_file_stream", { file });
    deepStrictEqual(
      [answers.length, answers[0]?.data.file_name, answers[1]?.data.data],
      [3, filename, "aGVsbG8="],
      file,
    );
  }
});

Deno.test("download_file_stream refuses every path out of the stream folder, and what is not in it", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  for (
    const [file, reason] of [
      ["/etc/passwd", /outside/],
      ["/", /outside/],
      [ROOT, /outside/],
      [`${ROOT}-other/generated/5.bin`, /outside/],
      [`${ROOT}/../../etc/passwd`, /outside/],
      [`${ROOT}/upload/../../x`, /outside/],
      ["file:///etc/passwd", /outside/],
      ["file:/etc/passwd", /outside/],
      [`file://${ROOT}/%2e%2e/%2E%2E/etc/passwd`, /outside/],
      [`file://${ROOT}/..%2f..%2fetc/passwd`, /outside/],
      [`file://other${ROOT}/generated/5.bin`, /cannot resolve/],
      [`file://${ROOT}/%zz`, /cannot resolve/],
      ["C:\\Windows\\win.ini", /cannot resolve/],
      ["..", /cannot resolve/],
      ["ftp://example.com/a", /cannot resolve/],
      [`${ROOT}/upload/10001/never__a`, /no such file/],
      [`${ROOT}/generated/5.bin\0`, /no such file/],
      [`${ROOT}/generated/x.bin`, /no such file/],
      [`${ROOT}/generated/5/a`, /no such file/],
    ] as const
  ) {
    for (const params of [{ file }, { file_id: file }, { file, file_id: `${ROOT}/generated/5.bin` }]) {
      const answers = await frames(simulator, "download_file_stream", params);
      deepStrictEqual([answers.length, answers[0]?.retcode], [1, 100], file);
      match(answers[0]?.wording ?? "", reason);
    }
  }
});
