/** Actions about the file storage of a group: its usage, permanent files, and folders. */
import type { ActionSpec } from "../../action.ts";
import { groupId, nonEmpty } from "../../params.ts";
import { INT, NULL, object } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_file_system_info",
    category: "extended",
    summary: { en: "Tells how much of the space for group files is used.", zh: "获取群文件空间用量" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      { en: "used_space and total_space are in bytes.", zh: "used_space 和 total_space 以字节计。" },
      {
        en: "limit_count is 10000 when the server does not report it.",
        zh: "服务器未给出时，limit_count 为 10000。",
      },
      {
        en: "SnowLuma 1.11 always reports used_space 0 and total_space 10737418240.",
        zh: "SnowLuma 1.11 固定返回 used_space 0、total_space 10737418240。",
      },
    ],
    returns: object({ file_count: INT, limit_count: INT, used_space: INT, total_space: INT }),
    examples: [{
      summary: { en: "Check the space left before an upload", zh: "上传前查看剩余空间" },
      params: { group_id: 20001 },
      notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
    }],
  },
  {
    name: "trans_group_file",
    category: "extended",
    summary: { en: "Turns a temporary group file into a permanent one.", zh: "将临时群文件转为永久文件" },
    params: {
      group_id: groupId(),
      file_id: nonEmpty({
        en: "File id, from get_group_root_files or get_group_files_by_folder.",
        zh: "文件 ID，来自 get_group_root_files 或 get_group_files_by_folder。",
      }),
    },
    notes: [{
      en: "The call fails on any server code other than 0.",
      zh: "服务器返回码不为 0 时一律失败。",
    }],
    returns: object({ ok: { const: true } }),
    examples: [{
      summary: { en: "Keep a temporary file for good", zh: "将临时文件永久保存" },
      params: { group_id: 20001, file_id: "/a1b2c3d4-0001" },
      notes: {
        en: "file_id comes from get_group_root_files or get_group_files_by_folder; dead_time 0 marks permanent files.",
        zh: "file_id 来自 get_group_root_files 或 get_group_files_by_folder；dead_time 为 0 的已是永久文件。",
      },
    }],
  },
  {
    name: "delete_group_folder",
    category: "extended",
    summary: { en: "Deletes a group file folder.", zh: "删除群文件夹" },
    params: {
      group_id: groupId(),
      folder_id: nonEmpty({
        en: "Folder id: folders[].folder_id from get_group_root_files.",
        zh: "文件夹 ID：get_group_root_files 的 folders[].folder_id。",
      }),
    },
    notes: [{
      en: "This is the same operation as delete_group_file_folder.",
      zh: "与 delete_group_file_folder 是同一操作。",
    }],
    returns: NULL,
    examples: [{
      summary: { en: "Delete a folder", zh: "删除一个文件夹" },
      params: { group_id: 20001, folder_id: "/f1e2d3c4-0001" },
      notes: { en: "folder_id comes from get_group_root_files.", zh: "folder_id 来自 get_group_root_files。" },
    }],
  },
];
