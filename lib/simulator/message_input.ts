/** The forms in which a message may be given, read into what the bot stores. */
import { parseCq, type Segment, textSegment } from "./cq.ts";
import { ActionFailure, invalid } from "./failure.ts";
import { isRecord } from "./json_values.ts";
import type { Place } from "./segment_fields.ts";
import { receivedForm } from "./segments.ts";
import { copyToKeep } from "./stored.ts";
import type { World } from "./world.ts";

/** Segments that must be a message of their own. */
const LONERS = ["video", "poke", "shake"];

/**
 * Reads a message: CQ text, one segment or an array of segments.
 *
 * @param value The `message` param. Text that is a JSON array is read as segments, `autoEscape` or not.
 * @returns The QQ messages it becomes, at least one; a file is always a message of its own.
 * @throws ActionFailure with retcode 100 if nothing sendable is in it or it is too large, 1400 if a segment is unknown or malformed.
 */
export function readMessage(world: World, place: Place, value: unknown, autoEscape = false): Segment[][] {
  const given = toSegments(value, autoEscape);
  if (given.length > 1) {
    const loner = given.find(({ type }) => LONERS.includes(type));
    if (loner !== undefined) throw invalid("message", `${loner.type} must be the only segment`);
  }
  // Files are taken in last: that changes a file area, and a bad segment or too much text beside one must leave no trace.
  const checked = given.map((segment) => segment.type === "file" ? segment : receivedForm(segment, world, place));
  copyToKeep("message", checked.filter((segment) => segment !== null && segment.type !== "file"));
  const parts: Segment[][] = [[]];
  for (const segment of checked) {
    const received = segment?.type === "file" ? receivedForm(segment, world, place) : segment;
    if (received === null) continue;
    if (received.type === "file") parts.push([received], []);
    else parts.at(-1)?.push(received);
  }
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 0) throw new ActionFailure("message is empty");
  return filled;
}

/** Segments as given; one malformed item makes the whole array count as empty. */
export function toSegments(value: unknown, autoEscape: boolean): Segment[] {
  if (typeof value === "string") {
    const list = jsonArray(value);
    if (list !== null) return toSegments(list, autoEscape);
    if (value === "") return [];
    return autoEscape ? [textSegment(value)] : parseCq(value);
  }
  const items = Array.isArray(value) ? value : [value];
  const segments = items.map(toSegment).filter((segment) => segment !== null);
  return segments.length === items.length ? segments : [];
}

/** Fields beside `type` count like those under `data`, which win. */
function toSegment(item: unknown): Segment | null {
  if (!isRecord(item) || typeof item.type !== "string") return null;
  const { type, data, ...beside } = item;
  return { type, data: isRecord(data) ? { ...beside, ...data } : beside };
}

function jsonArray(text: string): unknown[] | null {
  // CQ codes start with a bracket too, so the parser decides.
  if (!text.trimStart().startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
