/** Flash transfers: sets of files behind a share link. */
import { ActionFailure, invalid } from "../failure.ts";
import { isRecord } from "../json_values.ts";
import type { Params } from "../params.ts";
import { sourceDetails } from "../sent_files.ts";
import { LINK_BASE } from "../sources.ts";
import type { Fileset } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

type FlashFile = Fileset["files"][number];

export const flash: Handlers = {
  create_flash_task: (params, world) => {
    const sources = fileSources(params.raw("files"));
    const id = uuidOf(world.newId("fileset"));
    const files = sources.map((source, index) => {
      const { name, sizeBytes } = sourceDetails(source, world);
      return { name, sizeBytes, id: `${id}-${index + 1}` };
    });
    world.filesets.set(id, { id, name: files[0]?.name ?? "", shareCode: id.slice(0, 8), files });
    return { fileset_id: id, task_id: id };
  },
  list_filesets: (_params, world) => [...world.filesets.values()].flatMap(describeFiles),
  get_flash_file_list: (params, world) => describeFiles(find(params, world)),
  get_fileset_info: (params, world) => {
    const fileset = find(params, world);
    return { fileset_id: fileset.id, file_list: describeFiles(fileset) };
  },
  get_fileset_id: (params, world) => {
    const code = params.text("share_code").split("/").at(-1);
    const fileset = [...world.filesets.values()].find((candidate) => candidate.shareCode === code);
    if (fileset === undefined) throw new ActionFailure("no fileset has this share code");
    return { fileset_id: fileset.id };
  },
  get_share_link: (params, world) => shareLink(find(params, world)),
  get_flash_file_url: (params, world) => ({ url: fileLink(findFile(params, world)) }),
  download_fileset: (params, world) => {
    const file = findFile(params, world);
    return { url: fileLink(file), file_name: file.name, file_size: file.sizeBytes };
  },
  rename_flash_file: (params, world) => {
    world.filesets.revise(find(params, world).id, { name: params.text("new_name") });
    return null;
  },
  delete_flash_file: (params, world) => {
    world.filesets.delete(find(params, world).id);
    return null;
  },
  send_flash_msg: (params, world) => {
    find(params, world);
    const [groupId, userId] = [params.optionalInt("group_id"), params.optionalInt("user_id")];
    if (groupId !== undefined) world.group(groupId);
    else if (userId !== undefined) world.friend(userId);
    else throw invalid("group_id", "group_id or user_id is required");
    // QQ tells no id for these, so they can be neither read nor recalled.
    return { message_id: 0 };
  },
};

function fileSources(files: unknown): string[] {
  const list = Array.isArray(files) ? files : [files];
  const sources = list.map((entry) => isRecord(entry) ? entry.file : entry);
  const texts = sources.filter((source) => typeof source === "string" && source !== "");
  if (texts.length === 0 || texts.length < list.length) {
    throw invalid("files", "must be a source or an array of sources");
  }
  return texts;
}

/** The first 32 digits of an id, written as a UUID. */
function uuidOf(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function find(params: Params, world: World): Fileset {
  const id = params.text("fileset_id");
  const fileset = world.filesets.get(id);
  if (fileset === undefined) throw new ActionFailure(`fileset ${id} not found`);
  return fileset;
}

/** By its number, which starts at 1; the name in the params is not looked at. */
function findFile(params: Params, world: World): FlashFile {
  const index = params.raw("file_index") === undefined ? 1 : params.int("file_index");
  const file = find(params, world).files[index - 1];
  if (file === undefined) throw new ActionFailure(`file_index ${index} does not exist`);
  return file;
}

function describeFiles(fileset: Fileset): Record<string, unknown>[] {
  return fileset.files.map((file) => ({
    fileset_id: fileset.id,
    file_name: fileset.files.length === 1 ? fileset.name : file.name,
    orig_name: file.name,
    size: file.sizeBytes,
    share_url: shareLink(fileset),
    file_id: file.id,
    download_url: `${LINK_BASE}/flash/thumbnails/${file.id}`,
  }));
}

function shareLink(fileset: Fileset): string {
  return `${LINK_BASE}/q/${fileset.shareCode}`;
}

function fileLink(file: FlashFile): string {
  return `${LINK_BASE}/flash/files/${file.id}?key=simulated`;
}
