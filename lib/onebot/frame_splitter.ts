/**
 * Cuts the body of a stream answer into the texts of its frames: JSON, each followed by CR LF CR LF, the last one too
 * (wire protocol, "HTTP framing"). No JSON text holds this sequence but between two tokens, where no bot writes it.
 */
import { StreamFault } from "./stream_fault.ts";

/** Longest frame, in bytes without what separates it: a chunk of 16 MiB in base64, and room for its envelope. */
export const MAX_FRAME_BYTES: number = 24 * 1024 * 1024;

/** What follows every frame. */
export const SEPARATOR = "\r\n\r\n";

const SEPARATOR_BYTES = SEPARATOR.length;
const [LF, CR] = [10, 13];
/** Room at first, in bytes: most streams are one short frame. */
const FIRST_ROOM_BYTES = 4 * 1024;

/** Takes bytes as they come and gives whole frames. Every byte is looked at once. */
export class FrameSplitter {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #room = new Uint8Array(FIRST_ROOM_BYTES);
  /** Bytes held, and how many of them are known to begin no separator. */
  #held = 0;
  #searched = 0;

  /**
   * Takes the next bytes; gives the frames that are whole now.
   *
   * @throws {StreamFault} when a frame is too long or not UTF-8.
   */
  push(bytes: Uint8Array): string[] {
    this.#append(bytes);
    const frames: string[] = [];
    let start = 0;
    for (let end; (end = this.#nextSeparator()) !== -1;) {
      checkLength(end - start);
      frames.push(this.#decode(this.#room.subarray(start, end)));
      start = this.#searched = end + SEPARATOR_BYTES;
    }
    checkLength(this.#searched - start);
    if (start > 0) {
      this.#room.copyWithin(0, start, this.#held);
      this.#held -= start;
      this.#searched -= start;
    }
    return frames;
  }

  /** What has come since the last whole frame: nothing, at the end of a whole stream. @throws {StreamFault} */
  rest(): string {
    return this.#decode(this.#room.subarray(0, this.#held));
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#held + bytes.length;
    if (needed > this.#room.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#room.length));
      larger.set(this.#room.subarray(0, this.#held));
      this.#room = larger;
    }
    this.#room.set(bytes, this.#held);
    this.#held = needed;
  }

  /** Where the next separator begins; -1 when none is whole yet. */
  #nextSeparator(): number {
    const room = this.#room.subarray(0, this.#held);
    for (let at; (at = room.indexOf(CR, this.#searched)) !== -1; this.#searched = at + 1) {
      this.#searched = at;
      if (at + SEPARATOR_BYTES > room.length) return -1; // the rest of it may come
      if (room[at + 1] === LF && room[at + 2] === CR && room[at + 3] === LF) return at;
    }
    this.#searched = room.length;
    return -1;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new StreamFault("invalid_answer", "a frame is not UTF-8 text");
    }
  }
}

function checkLength(bytes: number): void {
  if (bytes > MAX_FRAME_BYTES) throw new StreamFault("too_large", `a frame exceeds ${MAX_FRAME_BYTES} bytes`);
}
