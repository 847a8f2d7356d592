/** Times in ZIP files. */

/** Signatures of the ZIP format, and where in each record the time of change stands. */
const END = 0x06054b50;
const ENTRY = { signature: 0x02014b50, time: 12, bytes: 46 };
const LOCAL = { signature: 0x04034b50, time: 10 };
/** 1980-01-01 00:00, the format's first moment: first the time, then the date. */
const FIRST_MOMENT = 0x0021_0000;

/**
 * Sets every file's time of change to the format's first moment, in place, so that the same files give the same bytes.
 *
 * For files without ZIP64 fields and archive comment, as packers of bundles write them.
 *
 * @throws {Error} where the bytes are no such file.
 */
export function resetTimes(zip: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const expect = (offset: number, signature: number): void => {
    if (offset + 4 > zip.length || view.getUint32(offset, true) !== signature) {
      throw new Error(`Cannot read the bundle: it is no ZIP file at byte ${offset}`);
    }
  };
  const end = Math.max(0, zip.length - 22);
  expect(end, END);
  const count = view.getUint16(end + 10, true);
  let entry = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    expect(entry, ENTRY.signature);
    const local = view.getUint32(entry + 42, true);
    expect(local, LOCAL.signature);
    view.setUint32(entry + ENTRY.time, FIRST_MOMENT, true);
    view.setUint32(local + LOCAL.time, FIRST_MOMENT, true);
    const lengths = [28, 30, 32].map((at) => view.getUint16(entry + at, true)); // name, extra field, comment
    entry += lengths.reduce((sum, length) => sum + length, ENTRY.bytes);
  }
  return zip;
}
