/** Files on their way into a chat. */
import type { Chat } from "./chat.ts";
import type { Segment } from "./cq.ts";
import { sha1Hex } from "./digest.ts";
import { ActionFailure } from "./failure.ts";
import { ROOT } from "./group_files.ts";
import { type Fields, type Place, sourceOf, textOf } from "./segment_fields.ts";
import { describeSource, LINK_BASE, type Source } from "./sources.ts";
import { nameToKeep } from "./stored.ts";
import { findStreamFile } from "./stream_files.ts";
import { hostPath } from "./stream_folder.ts";
import type { World } from "./world.ts";

/** `busid` of every file in a group. */
export const BUSINESS_ID = 102;

/** The received form of a sent file, which is put into the file area of the chat unless it is there. */
export function fileSegment(fields: Fields, world: World, place: Place): Segment {
  return fileCard(
    fields.file_id === undefined
      ? takeFile(fields, world, place)
      : knownFile(textOf("file", fields, "file_id"), world, place.chat),
  );
}

/** The segment that shows a file in a chat. */
export function fileCard({ id, name, sizeBytes, hash }: SentFile): Segment {
  const url = `${LINK_BASE}/files/${encodeURIComponent(id)}`;
  const sizes = { file_size: sizeBytes, size: sizeBytes };
  return { type: "file", data: { file: name, name, file_id: id, id, ...sizes, url, file_hash: hash } };
}

/** A file as its card in the chat tells it. */
interface SentFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly hash: string;
}

function knownFile(id: string, world: World, chat: Chat): SentFile {
  if (chat.kind === "group") return { ...world.group(chat.id).files.file(id), hash: sha1Hex(id) };
  const file = world.privateFiles.get(id);
  if (file === undefined) throw new ActionFailure(`file ${id} not found`);
  return { ...file, id };
}

function takeFile(fields: Fields, world: World, { chat, senderId }: Place): SentFile {
  const { name, sizeBytes } = sourceDetails(sourceOf("file", fields), world);
  return storeFile(world, chat, {
    name: typeof fields.name === "string" && fields.name !== "" ? fields.name : name,
    sizeBytes,
    folderId: ROOT,
    uploaderId: senderId,
  });
}

/** Puts a file where a chat keeps its files. */
export function storeFile(
  world: World,
  chat: Chat,
  file: { name: string; sizeBytes: number; folderId: string; uploaderId: number },
): SentFile {
  const name = nameToKeep(file.name);
  const hash = world.newId("file");
  const id = `/${hash.slice(0, 32)}`;
  if (chat.kind === "private") world.privateFiles.set(id, { name, sizeBytes: file.sizeBytes, hash });
  else {
    const now = world.now();
    world.group(chat.id).files.addFile({ ...file, name, id, uploadedAt: now, modifiedAt: now, deadAt: 0 });
    world.notice("group_upload", {
      group_id: chat.id,
      user_id: file.uploaderId,
      file: { id, name, size: file.sizeBytes, busid: BUSINESS_ID },
    });
  }
  return { id, name, sizeBytes: file.sizeBytes, hash };
}

/** Of files in the stream folder name and size are known; other paths are taken on trust. */
export function sourceDetails(source: string, world: World): Source {
  const path = hostPath(source);
  const stored = path === undefined ? undefined : findStreamFile(path, world);
  const described = describeSource(source);
  if (stored === undefined) return described;
  if (stored.sizeBytes === 0) throw new ActionFailure("file is empty");
  return { ...described, name: stored.name, sizeBytes: stored.sizeBytes };
}
