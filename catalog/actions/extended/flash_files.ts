/** Actions about flash transfer (闪传): uploading, listing, renaming, deleting and sending filesets. */
import type { ActionSpec } from "../../action.ts";
import { groupId, nonEmpty, number, raw, string, userId } from "../../params.ts";
import { COUNT, list, NULL, object, STRING } from "../../returns.ts";
import { anyOf, live } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "create_flash_task",
    category: "extended",
    summary: { en: "Uploads files as a new flash-transfer fileset.", zh: "上传文件为新的闪传文件集" },
    params: {
      files: raw(
        {
          en: "One source or a list: path on the bot host, http(s) URL or base64://. Required.",
          zh: "一个来源或来源列表：机器人主机上的路径、http(s) 链接或 base64://。必填。",
        },
        {
          optional: true,
          schema: {
            anyOf: [
              { type: "string", minLength: 1 },
              {
                type: "array",
                minItems: 1,
                items: {
                  anyOf: [
                    { type: "string", minLength: 1 },
                    {
                      type: "object",
                      required: ["file"],
                      properties: { file: { type: "string", minLength: 1 }, name: { type: "string" } },
                    },
                  ],
                },
              },
            ],
          },
        },
      ),
      name: string(
        { en: "Name for the fileset; ignored as of July 2026.", zh: "文件集名称；截至 2026 年 7 月会被忽略。" },
        { optional: true },
      ),
      thumb_path: string(
        { en: "Path of a thumbnail; ignored as of July 2026.", zh: "缩略图路径；截至 2026 年 7 月会被忽略。" },
        { optional: true },
      ),
    },
    rules: [
      anyOf(["files"], {
        en: "files must be given: one source, or a list of at least one.",
        zh: "必须传 files：一个来源，或至少一项的来源列表。",
      }),
    ],
    notes: [
      { en: "The answer comes only after the upload has finished.", zh: "上传完成后才会返回。" },
      { en: "fileset_id is a UUID, and task_id always equals it.", zh: "fileset_id 是 UUID，task_id 始终与它相同。" },
      {
        en: "Newer builds also take {file, name} objects in the list.",
        zh: "较新版本的列表中还可以用 {file, name} 对象。",
      },
    ],
    returns: object({ fileset_id: STRING, task_id: STRING }),
    examples: [
      {
        summary: { en: "Upload one file by URL", zh: "用链接上传一个文件" },
        params: { files: "https://example.com/a.png" },
        notes: {
          en: "Pass the fileset_id of the answer to send_flash_msg or get_share_link.",
          zh: "将返回的 fileset_id 传给 send_flash_msg 或 get_share_link。",
        },
      },
      {
        summary: { en: "Upload two files from the bot host", zh: "上传机器人主机上的两个文件" },
        params: { files: ["/data/report.pdf", "/data/photo.jpg"] },
        notes: { en: "The bot must be able to read both paths.", zh: "机器人必须能读取这两个路径。" },
      },
    ],
  },
  {
    name: "get_flash_file_list",
    category: "extended",
    summary: { en: "Lists the files of a flash-transfer fileset.", zh: "获取闪传文件集的文件列表" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets, get_fileset_id or a flash_file segment.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets、get_fileset_id 或 flash_file 消息段。",
      }),
    },
    notes: [
      { en: "size is a number of bytes.", zh: "size 为数字，单位是字节。" },
      { en: "Missing values come back as an empty string or 0.", zh: "缺失的值返回空字符串或 0。" },
      {
        en: "download_url points to the thumbnail; get_flash_file_url gives the link of the real file.",
        zh: "download_url 指向缩略图；真实文件链接用 get_flash_file_url 获取。",
      },
    ],
    returns: list(
      object({
        fileset_id: STRING,
        file_name: STRING,
        orig_name: STRING,
        size: COUNT,
        share_url: STRING,
        file_id: STRING,
        download_url: STRING,
      }),
    ),
    examples: [{
      summary: { en: "List what a fileset holds", zh: "查看文件集里的文件" },
      params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      notes: {
        en: "fileset_id comes from list_filesets; in a received flash_file segment it is data.file_set_id.",
        zh: "fileset_id 来自 list_filesets；在收到的 flash_file 消息段中即 data.file_set_id。",
      },
    }],
  },
  {
    name: "get_flash_file_url",
    category: "extended",
    summary: { en: "Gets the real download link of a flash-transfer file.", zh: "获取闪传文件的真实下载链接" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets, get_fileset_id or a flash_file segment.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets、get_fileset_id 或 flash_file 消息段。",
      }),
      file_name: string({
        en: "Ignored by the bot; choose the file by file_index.",
        zh: "会被忽略；请用 file_index 选择文件。",
      }, {
        optional: true,
      }),
      file_index: number(
        {
          en: "Position of the file in get_flash_file_list, from 1; 1 when omitted.",
          zh: "文件在 get_flash_file_list 中的位置，从 1 开始；省略则为 1。",
        },
        { optional: true },
      ),
    },
    rules: [
      live({
        en: "file_index must be a whole number and exactly the position of an existing file.",
        zh: "file_index 必须是整数，且正好对应已有文件的位置。",
      }),
      live({ en: "The file must have a download link.", zh: "该文件必须有下载链接。" }),
    ],
    notes: [{ en: "The link carries a temporary key.", zh: "链接中带有临时密钥。" }],
    returns: object({ url: STRING }),
    examples: [
      {
        summary: { en: "Get the link of the first file", zh: "获取第一个文件的链接" },
        params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
        notes: {
          en:
            "fileset_id comes from create_flash_task, list_filesets, get_fileset_id or a received flash_file segment.",
          zh: "fileset_id 来自 create_flash_task、list_filesets、get_fileset_id 或收到的 flash_file 消息段。",
        },
      },
      {
        summary: { en: "Get the link of the second file", zh: "获取第二个文件的链接" },
        params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e", file_index: 2 },
        notes: {
          en: "fileset_id comes from list_filesets; file_index is the position in get_flash_file_list.",
          zh: "fileset_id 来自 list_filesets；file_index 为文件在 get_flash_file_list 中的位置。",
        },
      },
    ],
  },
  {
    name: "rename_flash_file",
    category: "extended",
    summary: { en: "Renames a flash-transfer file and its display name.", zh: "重命名闪传文件及其显示名" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from list_filesets or create_flash_task.",
        zh: "文件集 ID，来自 list_filesets 或 create_flash_task。",
      }),
      new_name: nonEmpty({ en: "New name; must not be empty.", zh: "新名称，不能为空。" }),
    },
    returns: NULL,
    examples: [{
      summary: { en: "Give an upload a new name", zh: "给已上传的闪传文件改名" },
      params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e", new_name: "report.pdf" },
      notes: {
        en: "fileset_id comes from list_filesets or create_flash_task.",
        zh: "fileset_id 来自 list_filesets 或 create_flash_task。",
      },
    }],
  },
  {
    name: "delete_flash_file",
    category: "extended",
    summary: { en: "Deletes a whole flash-transfer fileset.", zh: "删除整个闪传文件集" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets or get_fileset_id.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets 或 get_fileset_id。",
      }),
    },
    notes: [{
      en: "Acts on the whole fileset; a single file cannot be chosen.",
      zh: "作用于整个文件集，不能只删除其中一个文件。",
    }],
    returns: NULL,
    examples: [{
      summary: { en: "Delete a fileset with all its files", zh: "删除文件集及其全部文件" },
      params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      notes: {
        en: "fileset_id comes from list_filesets; get_flash_file_list shows which files go with it.",
        zh: "fileset_id 来自 list_filesets；会一并删除的文件可先用 get_flash_file_list 查看。",
      },
    }],
  },
  {
    name: "send_flash_msg",
    category: "extended",
    summary: { en: "Sends a flash-transfer fileset to a group or a friend.", zh: "向群或好友发送闪传文件" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets or get_fileset_id.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets 或 get_fileset_id。",
      }),
      user_id: userId({
        optional: true,
        text: {
          en: "QQ number of the receiver, from get_friend_list; ignored when group_id is given.",
          zh: "接收者 QQ 号，来自 get_friend_list；同时传 group_id 时被忽略。",
        },
      }),
      group_id: groupId({
        optional: true,
        text: {
          en: "Group to send to, from get_group_list; wins over user_id.",
          zh: "接收的群号，来自 get_group_list；优先于 user_id。",
        },
      }),
    },
    rules: [
      anyOf(["group_id", "user_id"], {
        en: "group_id or user_id must be given.",
        zh: "group_id 和 user_id 至少传一个。",
      }),
    ],
    notes: [{
      en: "message_id is always 0, so the message cannot be recalled.",
      zh: "message_id 始终为 0，因此无法撤回。",
    }],
    returns: object({ message_id: { const: 0 } }),
    examples: [
      {
        summary: { en: "Send a fileset to a group", zh: "把文件集发到群里" },
        params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e", group_id: 20001 },
        notes: {
          en: "fileset_id comes from create_flash_task, group_id from get_group_list.",
          zh: "fileset_id 来自 create_flash_task，group_id 来自 get_group_list。",
        },
      },
      {
        summary: { en: "Send a fileset to a friend", zh: "把文件集发给好友" },
        params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e", user_id: 30001 },
        notes: {
          en: "fileset_id comes from create_flash_task, user_id from get_friend_list.",
          zh: "fileset_id 来自 create_flash_task，user_id 来自 get_friend_list。",
        },
      },
    ],
  },
];
