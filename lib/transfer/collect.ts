/** Streams that carry no file: their frames, within bounds. */
import type { Frame } from "../onebot/frame.ts";
import { StreamFault } from "../onebot/stream_fault.ts";

/** Most frames of one stream, the last one included. */
export const MAX_FRAMES = 10_000;
/** Most text of all of them together, in bytes of their `data` as JSON without `type`, which every frame has. */
export const MAX_FRAMES_TEXT_BYTES: number = 64 * 1024;

/** What a stream without a file gives. */
export interface FrameCollection {
  /** `data` of every frame before the last one. */
  readonly frames: readonly unknown[];
  /** All frames, the last one included. */
  readonly frame_count: number;
  /** `data` of the last frame. */
  readonly terminal: unknown;
}

/**
 * Collects the frames of a stream.
 *
 * @param onFrame Gets the number of frames so far.
 * @throws {StreamFault} when a limit is hit, or a frame belongs to a file.
 */
export async function collectFrames(
  frames: AsyncIterable<Frame>,
  onFrame: (count: number) => void,
): Promise<FrameCollection> {
  const encoder = new TextEncoder();
  const data: unknown[] = [];
  let bytes = 0;
  for await (const frame of frames) {
    const { type: _, ...told } = frame.data;
    if (typeof told.data_type === "string" && told.data_type.startsWith("file_")) {
      throw new StreamFault("invalid_answer", "a frame of a file comes in a stream without one");
    }
    bytes += encoder.encode(JSON.stringify(told)).length;
    if (bytes > MAX_FRAMES_TEXT_BYTES) {
      throw new StreamFault("too_large", `the frames hold more than ${MAX_FRAMES_TEXT_BYTES} bytes of text`);
    }
    if (data.push(frame.data) > MAX_FRAMES) throw new StreamFault("too_large", `more than ${MAX_FRAMES} frames came`);
    onFrame(data.length);
  }
  return { frames: data.slice(0, -1), frame_count: data.length, terminal: data.at(-1) };
}
