/** What becomes of a sent segment: the form in which it is received, which is not always the form it was sent in. */
import type { Segment } from "./cq.ts";
import { ActionFailure, invalid } from "./failure.ts";
import type { Media } from "./media_cache.ts";
import { type Fields, integerOf, numberOr, type Place, sourceOf, textOf } from "./segment_fields.ts";
import { fileSegment, sourceDetails } from "./sent_files.ts";
import { LINK_BASE } from "./sources.ts";
import type { World } from "./world.ts";

type Convert = (fields: Fields, world: World, place: Place) => Segment | null;

/** XML cards without an id get this one. */
const DEFAULT_XML_ID = 35;

const CONVERT: Readonly<Record<string, Convert>> = {
  text: (fields) => fields.text === "" ? null : segment("text", { text: textOf("text", fields, "text") }),
  face: (fields) => segment("face", { id: String(integerOf("face", fields, "id")) }),
  at: (fields, _world, { chat }) => {
    if (chat.kind === "private") throw invalid("message", "at works in groups only");
    return segment("at", { qq: fields.qq === "all" ? "all" : String(integerOf("at", fields, "qq")) });
  },
  reply: (fields, world, place) => segment("reply", { id: String(replyTarget(fields, world, place)) }),
  image: (fields, world) => {
    const { name, url } = mediaOf("image", fields, world);
    const data = { url, file: name, sub_type: numberOr(fields.subType, 0), summary: String(fields.summary ?? "") };
    if (fields.emoji_id !== undefined) return sticker(fields, data);
    return segment("image", fields.type === "flash" ? { ...data, type: "flash" } : data);
  },
  record: (fields, world) => playable("record", fields, world),
  video: (fields, world) => playable("video", fields, world),
  file: fileSegment,
  mface: (fields) => {
    const id = textOf("mface", fields, "emoji_id");
    return sticker(fields, { url: `${LINK_BASE}/stickers/${id}`, file: `${id}.gif`, sub_type: 1 });
  },
  json: (fields) => segment("json", { data: textOf("json", fields, "data") }),
  xml: (fields) => segment("xml", { data: textOf("xml", fields, "data"), resid: numberOr(fields.id, DEFAULT_XML_ID) }),
  markdown: (fields) => segment("markdown", { content: textOf("markdown", fields, "content") }),
  forward: (fields, world) => {
    const id = textOf("forward", fields, "id");
    if (!world.forwards.has(id)) throw new ActionFailure(`forward ${id} not found`);
    return segment("forward", { id });
  },
  poke: (fields, _world, { chat }) => {
    if (chat.kind === "group") throw invalid("message", "poke works in private chats only");
    return segment("poke", { type: integerOf("poke", fields, fields.type === undefined ? "id" : "type") });
  },
  shake: (_fields, _world, { chat }) => {
    if (chat.kind === "group") throw invalid("message", "shake works in private chats only");
    return segment("shake", {});
  },
  rps: () => segment("rps", {}),
  dice: () => segment("dice", {}),
  share: (fields) => card("share", fields, ["url"]),
  music: (fields) => card("music", fields, fields.type === "custom" ? ["url"] : ["type", "id"]),
  location: (fields) => card("location", fields, ["lat", "lon"]),
  contact: (fields) => card("contact", fields, ["id"]),
};

/**
 * The received form of a sendable segment; null for one that vanishes, which only empty text does.
 *
 * @throws ActionFailure with retcode 1400 if the segment is unknown, malformed or out of place.
 */
export function receivedForm({ type, data }: Segment, world: World, place: Place): Segment | null {
  const convert = Object.hasOwn(CONVERT, type) ? CONVERT[type] : undefined;
  if (convert === undefined) throw invalid("message", `unknown segment type ${type}`);
  return convert(data, world, place);
}

function segment(type: string, data: Fields): Segment {
  return { type, data };
}

/** Links, songs, places and contacts all travel as a JSON card. */
function card(app: string, fields: Fields, needed: readonly string[]): Segment {
  for (const name of needed) {
    if (fields[name] === undefined || fields[name] === "") throw invalid("message", `${app} needs ${name}`);
  }
  return segment("json", { data: JSON.stringify({ app: `simulated.${app}`, meta: fields }) });
}

function sticker(fields: Fields, data: Fields): Segment {
  return segment("image", {
    ...data,
    summary: String(fields.summary ?? ""),
    emoji_id: String(fields.emoji_id),
    emoji_package_id: numberOr(fields.emoji_package_id, 0),
    key: String(fields.key ?? ""),
  });
}

function playable(kind: "record" | "video", fields: Fields, world: World): Segment {
  const { name, url } = mediaOf(kind, fields, world);
  return segment(kind, { file: name, url });
}

/** Media named by a received segment are known already; anything else is taken in as new. */
function mediaOf(kind: Media["kind"], fields: Fields, world: World): Media {
  const source = sourceOf(kind, fields);
  const known = world.media.find(source, [kind]);
  if (known !== undefined) return known;
  const described = sourceDetails(source, world);
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(described.name)?.[0] ??
    { image: ".jpg", record: ".amr", video: ".mp4" }[kind];
  return world.media.add({ ...described, kind, name: `${described.md5}${ending.toLowerCase()}` });
}

function replyTarget(fields: Fields, world: World, { chat }: Place): number {
  const id = integerOf("reply", fields, "id");
  const inChat = world.messages.all(chat);
  // A positive number that is no id may be the sequence of a message in this chat.
  const target = inChat.find((message) => message.id === id) ?? inChat.find((message) => message.seq === id);
  if (target === undefined) throw new ActionFailure(`reply: message ${id} not found in this chat`);
  return target.id;
}
