/** Actions about folders in the files of a group (群文件夹). */
import type { ActionSpec, ParamSpec } from "../../action.ts";
import { groupId, nonEmpty, string } from "../../params.ts";
import { INT, NULL, nullable, object, STRING } from "../../returns.ts";
import { anyOf } from "../../rules.ts";

const folderId: ParamSpec = nonEmpty({
  en: "Folder id: folders[].folder_id from get_group_root_files.",
  zh: "文件夹 ID：get_group_root_files 的 folders[].folder_id。",
});

export const actions: readonly ActionSpec[] = [
  {
    name: "create_group_file_folder",
    category: "group-file",
    summary: { en: "Creates a group file folder.", zh: "新建（创建）群文件夹" },
    params: {
      group_id: groupId(),
      name: nonEmpty({ en: "Name of the new folder.", zh: "新文件夹的名称。" }),
      parent_id: string({
        en: 'Folder to create it in: folder_id from get_group_root_files, or "/" for the root.',
        zh: "上级文件夹：get_group_root_files 的 folder_id；根目录填“/”。",
      }, { default: "/" }),
    },
    notes: [
      {
        en: "The id of the new folder is groupItem.folderInfo.folderId.",
        zh: "新文件夹的 ID 为 groupItem.folderInfo.folderId。",
      },
      {
        en: "Whether times and QQ numbers come as numbers or text is not documented.",
        zh: "时间和 QQ 号是数字还是文本，文档未说明。",
      },
      { en: "SnowLuma 1.11 returns null.", zh: "SnowLuma 1.11 返回 null。" },
      {
        en: "The shape of the answer is known from documentation only.",
        zh: "返回结构仅依据文档得知。",
      },
    ],
    returns: {
      anyOf: [
        object({}, {
          result: object({}, { retCode: INT, retMsg: STRING }),
          groupItem: nullable(object({}, {
            folderInfo: nullable(
              object({}, {
                folderId: STRING,
                folderName: STRING,
                folderPath: STRING,
                createTime: { type: ["integer", "string"] },
                modifyTime: { type: ["integer", "string"] },
                createUin: { type: ["integer", "string"] },
                modifyUin: { type: ["integer", "string"] },
              }),
            ),
          })),
        }),
        NULL,
      ],
    },
    examples: [{
      summary: { en: "Create a folder at the root", zh: "在根目录新建文件夹" },
      params: { group_id: 20001, name: "Minutes" },
      notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
    }],
  },
  {
    name: "rename_group_file_folder",
    category: "group-file",
    summary: { en: "Renames a group file folder.", zh: "重命名群文件夹" },
    params: {
      group_id: groupId(),
      folder_id: folderId,
      new_folder_name: string({
        en: "New folder name; wins over name.",
        zh: "新文件夹名；优先于 name。",
      }, { default: "" }),
      name: string({
        en: "Other name of new_folder_name, read when that is empty.",
        zh: "new_folder_name 的别名，后者为空时使用。",
      }, { default: "" }),
    },
    rules: [anyOf(["new_folder_name", "name"], {
      en: "new_folder_name or name must be given, else the call fails with retcode 1400.",
      zh: "new_folder_name 和 name 至少传一个，否则以 retcode 1400 失败。",
    })],
    returns: NULL,
    examples: [{
      summary: { en: "Rename a folder", zh: "重命名一个文件夹" },
      params: { group_id: 20001, folder_id: "/f1e2d3c4-0001", new_folder_name: "Archive" },
      notes: { en: "folder_id comes from get_group_root_files.", zh: "folder_id 来自 get_group_root_files。" },
    }],
  },
  {
    name: "delete_group_file_folder",
    category: "group-file",
    summary: { en: "Deletes a group file folder.", zh: "删除群文件夹" },
    params: {
      group_id: groupId(),
      folder_id: folderId,
    },
    returns: NULL,
    examples: [{
      summary: { en: "Delete a folder", zh: "删除一个文件夹" },
      params: { group_id: 20001, folder_id: "/f1e2d3c4-0001" },
      notes: { en: "folder_id comes from get_group_root_files.", zh: "folder_id 来自 get_group_root_files。" },
    }],
  },
];
