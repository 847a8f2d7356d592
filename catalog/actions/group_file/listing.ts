/** Actions that list files of a group (群文件) and get download links. */
import type { ActionSpec, Schema, Text } from "../../action.ts";
import { groupId, nonEmpty, raw, string, userId } from "../../params.ts";
import { INT, list, object, STRING } from "../../returns.ts";

const FILES_AND_FOLDERS: Schema = object({
  files: list(
    object({}, {
      group_id: INT,
      file_id: STRING,
      file_name: STRING,
      busid: INT,
      file_size: INT,
      upload_time: INT,
      dead_time: INT,
      modify_time: INT,
      download_times: INT,
      uploader: INT,
      uploader_name: STRING,
    }),
  ),
  folders: list(
    object({}, {
      group_id: INT,
      folder_id: STRING,
      folder_name: STRING,
      create_time: INT,
      creator: INT,
      create_name: STRING,
      total_file_count: INT,
      last_upload_time: INT,
      last_uploader: INT,
      last_uploader_name: STRING,
    }),
  ),
});

const LISTING_NOTES: readonly Text[] = [
  { en: "files and folders are always arrays.", zh: "files 和 folders 始终为数组。" },
  {
    en: "uploader_name may fall back to the group card or nickname.",
    zh: "uploader_name 可能退回为群名片或昵称。",
  },
  { en: "dead_time 0 means that the file is permanent.", zh: "dead_time 为 0 表示永久文件。" },
  {
    en: "SnowLuma 1.11 leaves the fields about the last upload out of folders.",
    zh: "SnowLuma 1.11 的文件夹不含最近上传相关字段。",
  },
];

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_root_files",
    category: "group-file",
    summary: { en: "Lists the group files and folders at the root.", zh: "获取群文件根目录列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      ...LISTING_NOTES,
      {
        en: "The bot fetches all pages itself, up to about 4000 entries.",
        zh: "机器人自行翻页，最多约 4000 项。",
      },
    ],
    returns: FILES_AND_FOLDERS,
    examples: [{
      summary: { en: "List the group files at the root", zh: "列出群文件根目录" },
      params: { group_id: 20001 },
      notes: {
        en: "group_id comes from get_group_list; other actions take file_id and folder_id of the answer.",
        zh: "group_id 来自 get_group_list；返回的 file_id、folder_id 供其他动作使用。",
      },
    }],
  },
  {
    name: "get_group_files_by_folder",
    category: "group-file",
    summary: { en: "Lists the group files and folders inside a folder.", zh: "获取群文件夹内的文件列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
      folder_id: string({
        en: "Folder to list: folders[].folder_id from get_group_root_files.",
        zh: "要列出的文件夹：get_group_root_files 的 folders[].folder_id。",
      }, { default: "" }),
      folder: string({
        en: "Other name of folder_id, read when folder_id is empty; both empty lists the root.",
        zh: "folder_id 的别名，folder_id 为空时使用；两者皆空则列出根目录。",
      }, { default: "" }),
    },
    notes: LISTING_NOTES,
    returns: FILES_AND_FOLDERS,
    examples: [
      {
        summary: { en: "List one folder", zh: "列出某个文件夹" },
        params: { group_id: 20001, folder_id: "/f1e2d3c4-0001" },
        notes: {
          en: "folder_id comes from get_group_root_files.",
          zh: "folder_id 来自 get_group_root_files。",
        },
      },
      {
        summary: { en: "List the root", zh: "列出根目录" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_group_file_url",
    category: "group-file",
    summary: { en: "Gets a short-lived download link for a group file.", zh: "获取群文件的下载链接" },
    readOnly: true,
    params: {
      group_id: groupId(),
      file_id: nonEmpty({
        en: "File id, from get_group_root_files, get_group_files_by_folder or a file segment.",
        zh: "文件 ID，来自 get_group_root_files、get_group_files_by_folder 或 file 消息段。",
      }),
      busid: raw({
        en: "files[].busid from get_group_root_files; any value is tolerated, default 102.",
        zh: "get_group_root_files 的 files[].busid；容许任意值，默认 102。",
      }, { optional: true }),
    },
    notes: [{ en: "url is a short-lived https link.", zh: "url 为短时有效的 https 链接。" }],
    returns: object({ url: STRING }),
    examples: [{
      summary: { en: "Get the link of a group file", zh: "获取某个群文件的链接" },
      params: { group_id: 20001, file_id: "/a1b2c3d4-0001" },
      notes: {
        en: "file_id comes from get_group_root_files, get_group_files_by_folder or a received file segment.",
        zh: "file_id 来自 get_group_root_files、get_group_files_by_folder 或收到的 file 消息段。",
      },
    }],
  },
  {
    name: "get_private_file_url",
    category: "group-file",
    summary: { en: "Gets a short-lived link for a private chat file.", zh: "获取私聊文件的下载链接" },
    readOnly: true,
    params: {
      user_id: userId({
        text: {
          en: "QQ number of the friend, from get_friend_list; ignored, but a bad value still fails.",
          zh: "好友 QQ 号，来自 get_friend_list；会被忽略，但传无效值仍会失败。",
        },
        optional: true,
      }),
      file_id: nonEmpty({
        en: "File id: data.file_id of a received file segment.",
        zh: "文件 ID：收到的 file 消息段的 data.file_id。",
      }),
      file_hash: string({
        en: "data.file_hash of the same file segment; optional, but needed in practice.",
        zh: "同一 file 消息段的 data.file_hash；虽可省略，实际需要提供。",
      }, { default: "" }),
    },
    notes: [{ en: "url is a short-lived http link.", zh: "url 为短时有效的 http 链接。" }],
    returns: object({ url: STRING }),
    examples: [{
      summary: { en: "Get the link of a received private file", zh: "获取收到的私聊文件的链接" },
      params: { file_id: "/a1b2c3d4-0001", file_hash: "example-hash" },
      notes: {
        en: "file_id and file_hash come from the same file segment of a received message.",
        zh: "file_id 和 file_hash 取自收到消息的同一 file 消息段。",
      },
    }],
  },
];
