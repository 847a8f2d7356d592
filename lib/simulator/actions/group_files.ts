/** Files in groups and private chats. */
import { type Chat, groupChat } from "../chat.ts";
import { ActionFailure, invalid } from "../failure.ts";
import { type GroupFile, type GroupFiles, type GroupFolder, MAX_FILES, MAX_SPACE, ROOT } from "../group_files.ts";
import type { Params } from "../params.ts";
import { post } from "../post.ts";
import { BUSINESS_ID, fileCard, sourceDetails, storeFile } from "../sent_files.ts";
import { LINK_BASE } from "../sources.ts";
import type { Group } from "../entities.ts";
import { nameToKeep } from "../stored.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const groupFiles: Handlers = {
  get_group_file_system_info: (params, world) => {
    const { files, usedBytes } = world.group(params.int("group_id")).files;
    return { file_count: files.length, limit_count: MAX_FILES, used_space: usedBytes, total_space: MAX_SPACE };
  },
  get_group_root_files: (params, world) => listing(world, world.group(params.int("group_id")), ROOT),
  get_group_files_by_folder: (params, world) =>
    listing(world, world.group(params.int("group_id")), params.firstText("folder_id", "folder") || ROOT),
  get_group_file_url: (params, world) => {
    const file = world.group(params.int("group_id")).files.file(params.text("file_id"));
    return { url: `${LINK_BASE}/group-files${encodeURI(file.id)}?fname=${encodeURIComponent(file.name)}` };
  },
  get_private_file_url: (params, world) => {
    const id = params.text("file_id");
    if (!world.privateFiles.has(id)) throw new ActionFailure(`file ${id} not found`);
    return { url: `${LINK_BASE.replace("https:", "http:")}/private-files${encodeURI(id)}` };
  },
  upload_group_file: (params, world) => {
    const group = world.group(params.int("group_id"));
    const folderId = params.firstText("folder", "folder_id") || ROOT;
    group.files.checkFolder(folderId);
    return upload(params, world, groupChat(group.groupId), folderId);
  },
  upload_private_file: (params, world) => upload(params, world, world.friendChat(params.int("user_id")), ROOT),
  create_group_file_folder: (params, world) => {
    const group = world.administered(params.int("group_id"));
    if (params.text("parent_id") !== ROOT) throw new ActionFailure("folders are one level deep");
    const [now, self] = [world.now(), world.account.userId];
    const folder: GroupFolder = {
      id: `/${world.newId("folder").slice(0, 32)}`,
      name: nameToKeep(params.text("name")),
      creatorId: self,
      createdAt: now,
    };
    group.files.addFolder(folder);
    const folderInfo = {
      folderId: folder.id,
      folderName: folder.name,
      folderPath: ROOT,
      createTime: now,
      modifyTime: now,
      createUin: self,
      modifyUin: self,
    };
    return { result: { retCode: 0, retMsg: "ok" }, groupItem: { folderInfo } };
  },
  rename_group_file_folder: (params, world) => {
    const name = params.firstText("new_folder_name", "name");
    if (name === "") throw invalid("new_folder_name", "is required");
    world.administered(params.int("group_id")).files.folder(params.text("folder_id")).name = nameToKeep(name);
    return null;
  },
  delete_group_file_folder: deleteFolder,
  delete_group_folder: deleteFolder,
  delete_group_file: (params, world) => {
    const { group, file } = changeableFile(params, world);
    group.files.deleteFile(file.id);
    return null;
  },
  move_group_file: (params, world) => {
    const { group, file } = changeableFile(params, world);
    checkPlace(group.files, file, params.text("parent_directory"));
    const folderId = params.text("target_directory");
    group.files.checkFolder(folderId);
    file.folderId = folderId;
    return null;
  },
  rename_group_file: (params, world) => {
    const { group, file } = changeableFile(params, world);
    checkPlace(group.files, file, params.text("current_parent_directory"));
    file.name = nameToKeep(params.text("new_name"));
    file.modifiedAt = world.now();
    return { ok: true };
  },
  trans_group_file: (params, world) => {
    const { file } = changeableFile(params, world);
    file.deadAt = 0;
    return { ok: true };
  },
};

function upload(params: Params, world: World, chat: Chat, folderId: string): { file_id: string } {
  const source = sourceDetails(params.text("file"), world);
  const name = params.text("name") || source.name;
  world.requireVoice(chat);
  const uploaderId = world.account.userId;
  const { id, hash } = storeFile(world, chat, { name, sizeBytes: source.sizeBytes, folderId, uploaderId });
  // Without `upload_file` the file is registered, but no card appears in the chat.
  if (params.flag("upload_file")) {
    post(world, chat, uploaderId, [[fileCard({ id, name, sizeBytes: source.sizeBytes, hash })]]);
  }
  return { file_id: id };
}

function deleteFolder(params: Params, world: World): null {
  world.administered(params.int("group_id")).files.deleteFolder(params.text("folder_id"));
  return null;
}

/** A file the account may change: its own, or any as an admin. */
function changeableFile(params: Params, world: World): { group: Group; file: GroupFile } {
  const group = world.group(params.int("group_id"));
  const file = group.files.file(params.text("file_id"));
  if (file.uploaderId !== world.account.userId) world.requireAdmin(group);
  return { group, file };
}

function checkPlace(files: GroupFiles, file: GroupFile, folderId: string): void {
  files.checkFolder(folderId);
  if (file.folderId !== folderId) throw new ActionFailure(`file ${file.id} is not in folder ${folderId}`);
}

function listing(world: World, group: Group, folderId: string): { files: unknown[]; folders: unknown[] } {
  group.files.checkFolder(folderId);
  const files = group.files.inFolder(folderId).map((file) => ({
    group_id: group.groupId,
    file_id: file.id,
    file_name: file.name,
    busid: BUSINESS_ID,
    file_size: file.sizeBytes,
    upload_time: file.uploadedAt,
    dead_time: file.deadAt,
    modify_time: file.modifiedAt,
    download_times: 0,
    uploader: file.uploaderId,
    uploader_name: world.nicknameOf(file.uploaderId),
  }));
  const folders = folderId === ROOT ? group.files.folders.map((folder) => describeFolder(world, group, folder)) : [];
  return { files, folders };
}

function describeFolder(world: World, group: Group, folder: GroupFolder): Record<string, unknown> {
  const inside = group.files.inFolder(folder.id);
  const last = inside.toSorted((a, b) => b.uploadedAt - a.uploadedAt)[0];
  return {
    group_id: group.groupId,
    folder_id: folder.id,
    folder_name: folder.name,
    create_time: folder.createdAt,
    creator: folder.creatorId,
    create_name: world.nicknameOf(folder.creatorId),
    total_file_count: inside.length,
    last_upload_time: last?.uploadedAt ?? 0,
    last_uploader: last?.uploaderId ?? 0,
    last_uploader_name: last === undefined ? "" : world.nicknameOf(last.uploaderId),
  };
}
