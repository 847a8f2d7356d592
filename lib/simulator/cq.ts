/** CQ codes: messages as text, `[CQ:at,qq=10001] hello`. */

/** One piece of a message. */
export interface Segment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const CODE = /\[CQ:([A-Za-z0-9_.-]+)((?:,[^\[\]]*)?)\]/g;

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&#91;": "[", "&#93;": "]", "&#44;": "," };

/** Text to segments. What does not form a whole code stays text; values are always strings. */
export function parseCq(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    const [code, type = "", fields = ""] = match;
    if (match.index > end) segments.push(textSegment(unescapeCq(text.slice(end, match.index))));
    segments.push({ type, data: parseFields(fields) });
    end = match.index + code.length;
  }
  if (end < text.length) segments.push(textSegment(unescapeCq(text.slice(end))));
  return segments;
}

/** Segments to text; values that are objects are left out, CQ codes have no form for them. */
export function formatCq(segments: readonly Segment[]): string {
  return segments.map(({ type, data }) => {
    if (type === "text") return escapeCq(String(data.text ?? ""));
    const fields = Object.entries(data).filter(([, value]) => typeof value !== "object");
    return `[CQ:${type}${fields.map(([key, value]) => `,${key}=${escapeCqValue(String(value))}`).join("")}]`;
  }).join("");
}

/** Makes text literal outside of codes. */
export function escapeCq(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("[", "&#91;").replaceAll("]", "&#93;");
}

function escapeCqValue(text: string): string {
  return escapeCq(text).replaceAll(",", "&#44;");
}

/** One pass, so that `&amp;#91;` becomes `&#91;` and not a bracket. */
function unescapeCq(text: string): string {
  return text.replace(/&(?:amp|#91|#93|#44);/g, (entity) => ENTITIES[entity] ?? entity);
}

function parseFields(fields: string): Record<string, string> {
  const pairs = fields.split(",").filter((field) => field.includes("=")).map((field) => {
    const mark = field.indexOf("=");
    return [field.slice(0, mark).trim(), unescapeCq(field.slice(mark + 1))] as const;
  });
  return Object.fromEntries(pairs);
}

export function textSegment(text: string): Segment {
  return { type: "text", data: { text } };
}
