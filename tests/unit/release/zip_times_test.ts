/** Times in ZIP files, of one that a common packer would write. */
import { deepStrictEqual, ok, throws } from "node:assert/strict";
import { resetTimes } from "../../../release/zip_times.ts";
import { verifies } from "../../requirements.ts";

/** A file of stored entries, each with an extra field, changed at this time (in DOS form, time and date). */
function zipOf(files: Readonly<Record<string, string>>, changed: number): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (size: 2 | 4, ...values: number[]): void => {
    for (const value of values) for (let i = 0; i < size; i++) bytes.push((value >>> (8 * i)) & 0xff);
  };
  const text = new TextEncoder();
  const entries = Object.entries(files).map(([name, content]) => {
    const local = bytes.length;
    const [nameBytes, body] = [text.encode(name), text.encode(content)];
    put(4, 0x04034b50), put(2, 20, 0, 0), put(4, changed, 0, body.length, body.length), put(2, nameBytes.length, 4);
    bytes.push(...nameBytes, 1, 2, 0, 0, ...body);
    return { local, nameBytes, size: body.length };
  });
  const start = bytes.length;
  for (const { local, nameBytes, size } of entries) {
    put(4, 0x02014b50), put(2, 0x0314, 20, 0, 0), put(4, changed, 0, size, size), put(2, nameBytes.length, 4, 3, 0, 0);
    put(4, (0o755 << 16) >>> 0, local), bytes.push(...nameBytes, 3, 4, 0, 0, ...text.encode("abc"));
  }
  const length = bytes.length - start;
  put(4, 0x06054b50), put(2, 0, 0, entries.length, entries.length), put(4, length, start), put(2, 0);
  return Uint8Array.from(bytes);
}

const FILES = { "manifest.json": "{}", "server/程序": "PK\x01\x02 and PK\x05\x06 are no records here" };

Deno.test("resetTimes() makes files that differ in their times alone equal, and changes nothing else", () => {
  verifies("mcpb-valid");
  const [old, young] = [zipOf(FILES, 0x5d81_1234), zipOf(FILES, 0x5d82_4321)];
  ok(old.some((byte, index) => byte !== young[index]), "the files are equal before");
  const reset = resetTimes(old);
  deepStrictEqual(reset, resetTimes(young));
  deepStrictEqual(reset, zipOf(FILES, 0x0021_0000));
});

Deno.test("resetTimes() reads a part of a larger buffer", () => {
  verifies("mcpb-valid");
  const whole = new Uint8Array([7, 7, 7, ...zipOf(FILES, 0x5d81_1234), 7]);
  resetTimes(whole.subarray(3, whole.length - 1));
  deepStrictEqual(whole, new Uint8Array([7, 7, 7, ...zipOf(FILES, 0x0021_0000), 7]));
});

Deno.test("resetTimes() refuses what is no ZIP file, or a cut one", () => {
  verifies("mcpb-valid");
  const zip = zipOf(FILES, 1);
  for (const bytes of [new Uint8Array(0), new Uint8Array(100), zip.slice(0, -1), zip.slice(10)]) {
    throws(() => resetTimes(bytes), /it is no ZIP file at byte \d+/);
  }
});
