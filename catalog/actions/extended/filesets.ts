/** Actions that look up flash-transfer filesets (闪传文件集), their share links and their files. */
import type { ActionSpec } from "../../action.ts";
import { nonEmpty, number, string } from "../../params.ts";
import { COUNT, list, object, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

const FILES = list(
  object({
    fileset_id: STRING,
    file_name: STRING,
    orig_name: STRING,
    size: COUNT,
    share_url: STRING,
    file_id: STRING,
    download_url: STRING,
  }),
);

export const actions: readonly ActionSpec[] = [
  {
    name: "list_filesets",
    category: "extended",
    summary: { en: "Lists flash-transfer filesets with ids and share links.", zh: "获取闪传文件集列表" },
    params: {},
    notes: [
      {
        en: "Items have the same fields as those of get_flash_file_list.",
        zh: "每项字段与 get_flash_file_list 相同。",
      },
      { en: "Missing values come back as an empty string or 0.", zh: "缺失的值返回空字符串或 0。" },
      {
        en: "download_url may be a thumbnail; download_fileset gives the link of the real file.",
        zh: "download_url 可能是缩略图；真实文件链接用 download_fileset 获取。",
      },
      {
        en: "The list possibly ends after 10 entries; this is unverified.",
        zh: "列表可能最多 10 条，尚未证实。",
      },
      { en: "It only reads, although the bot lists it as a write.", zh: "虽被机器人标为写操作，实际只读取。" },
    ],
    returns: FILES,
    examples: [{ summary: { en: "Find the id of a fileset", zh: "查找文件集的 ID" }, params: {} }],
  },
  {
    name: "get_fileset_info",
    category: "extended",
    summary: { en: "Gets a flash-transfer fileset with its list of files.", zh: "获取闪传文件集信息及文件列表" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets, get_fileset_id or a flash_file segment.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets、get_fileset_id 或 flash_file 消息段。",
      }),
    },
    notes: [
      { en: "fileset_id in the answer repeats the requested one.", zh: "返回的 fileset_id 与请求中的相同。" },
      {
        en: "file_list is what get_flash_file_list gives for the same id.",
        zh: "file_list 与同一 ID 的 get_flash_file_list 结果相同。",
      },
      { en: "Missing values come back as an empty string or 0.", zh: "缺失的值返回空字符串或 0。" },
      { en: "download_url points to the thumbnail.", zh: "download_url 指向缩略图。" },
    ],
    returns: object({ fileset_id: STRING, file_list: FILES }),
    examples: [{
      summary: { en: "Look into a received fileset", zh: "查看收到的文件集" },
      params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      notes: {
        en: "fileset_id comes from list_filesets; in a received flash_file segment it is data.file_set_id.",
        zh: "fileset_id 来自 list_filesets；在收到的 flash_file 消息段中即 data.file_set_id。",
      },
    }],
  },
  {
    name: "get_fileset_id",
    category: "extended",
    summary: { en: "Finds the fileset id behind a flash-transfer share link.", zh: "由闪传分享链接查文件集 ID" },
    readOnly: true,
    params: {
      share_code: nonEmpty({
        en: "Full qfile.qq.com link or bare share code, from get_share_link or share_url in get_flash_file_list.",
        zh: "完整的 qfile.qq.com 链接或分享码，来自 get_share_link 或 get_flash_file_list 的 share_url。",
      }),
    },
    rules: [
      live({
        en: "On newer builds share_code must be an official qfile.qq.com link.",
        zh: "在较新版本上，share_code 必须是官方 qfile.qq.com 链接。",
      }),
      live({ en: "The share page must hold a fileset.", zh: "分享页中必须有文件集。" }),
    ],
    notes: [{ en: "fileset_id is a UUID in lower case.", zh: "fileset_id 是小写 UUID。" }],
    returns: object({ fileset_id: STRING }),
    examples: [{
      summary: { en: "Resolve a share link", zh: "解析分享链接" },
      params: { share_code: "https://qfile.qq.com/q/example" },
      notes: {
        en: "share_code comes from get_share_link, or is share_url from get_flash_file_list.",
        zh: "share_code 来自 get_share_link，或为 get_flash_file_list 的 share_url。",
      },
    }],
  },
  {
    name: "get_share_link",
    category: "extended",
    summary: { en: "Gets the share link of a flash-transfer fileset.", zh: "获取闪传文件集的分享链接" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from list_filesets or create_flash_task.",
        zh: "文件集 ID，来自 list_filesets 或 create_flash_task。",
      }),
    },
    notes: [
      {
        en: "The answer is a bare string, not an object; it is empty when there is no link.",
        zh: "返回的是字符串而非对象；没有链接时为空字符串。",
      },
      { en: "It only reads, although the bot lists it as a write.", zh: "虽被机器人标为写操作，实际只读取。" },
    ],
    returns: STRING,
    examples: [{
      summary: { en: "Get a link to share an upload", zh: "获取上传内容的分享链接" },
      params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      notes: {
        en: "fileset_id comes from list_filesets or create_flash_task.",
        zh: "fileset_id 来自 list_filesets 或 create_flash_task。",
      },
    }],
  },
  {
    name: "download_fileset",
    category: "extended",
    summary: { en: "Gets link, name and size of one file in a fileset.", zh: "获取闪传文件的下载链接、名称和大小" },
    params: {
      fileset_id: nonEmpty({
        en: "Fileset id, from create_flash_task, list_filesets or get_fileset_id.",
        zh: "文件集 ID，来自 create_flash_task、list_filesets 或 get_fileset_id。",
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
    notes: [
      {
        en: "Despite its name, it downloads nothing; it returns a link.",
        zh: "虽名为下载，实际只返回链接，不下载文件。",
      },
      { en: "file_size is in bytes.", zh: "file_size 的单位是字节。" },
    ],
    returns: object({ url: STRING, file_name: STRING, file_size: COUNT }),
    examples: [
      {
        summary: { en: "Get the link of the first file", zh: "获取第一个文件的链接" },
        params: { fileset_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
        notes: {
          en: "fileset_id comes from create_flash_task, list_filesets or get_fileset_id.",
          zh: "fileset_id 来自 create_flash_task、list_filesets 或 get_fileset_id。",
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
];
