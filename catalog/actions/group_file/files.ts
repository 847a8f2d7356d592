/** Actions that upload files to groups (群文件) or friends, and move, rename or delete group files. */
import type { ActionSpec, ParamSpec, Rule, Text } from "../../action.ts";
import { bool, groupId, nonEmpty, string, userId } from "../../params.ts";
import { NULL, object } from "../../returns.ts";
import { live } from "../../rules.ts";

const source: ParamSpec = nonEmpty({
  en:
    "File to upload: path on the bot host (such as file_path from upload_file_stream), file://, http(s) URL or base64://.",
  zh: "要上传的文件：机器人主机上的路径（如 upload_file_stream 的 file_path）、file://、http(s) 链接或 base64://。",
});

const shownName: ParamSpec = string({
  en: "File name to show; empty takes the name of the source file.",
  zh: "显示的文件名；留空用源文件名。",
}, { default: "" });

const groupFileId: ParamSpec = nonEmpty({
  en: "File id, from get_group_root_files or get_group_files_by_folder.",
  zh: "文件 ID，来自 get_group_root_files 或 get_group_files_by_folder。",
});

const SIZE: Rule = live({
  en: "The file must not be empty and must be at most 4 GiB.",
  zh: "文件不能为空，且不得超过 4 GiB。",
});

const FILE_ID: Text = {
  en: "file_id is declared nullable, but a call either yields an id or fails in practice.",
  zh: "file_id 声明为可空，实际上要么返回 ID，要么调用失败。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "upload_group_file",
    category: "group-file",
    summary: { en: "Uploads a file to a group and posts it in the chat.", zh: "上传群文件并发到群里" },
    params: {
      group_id: groupId(),
      file: source,
      name: shownName,
      folder: string({
        en: "Target folder: folders[].folder_id from get_group_root_files; wins over folder_id.",
        zh: "目标文件夹：get_group_root_files 的 folders[].folder_id；优先于 folder_id。",
      }, { default: "" }),
      folder_id: string({
        en: "Other name of folder, read when folder is empty; both empty means the root.",
        zh: "folder 的别名，folder 为空时使用；两者皆空则为根目录。",
      }, { default: "" }),
      upload_file: bool({
        en: "true posts the file in the group; false pre-registers it without posting.",
        zh: "true 发到群里；false 仅预登记，不发到群里。",
      }, { default: true }),
    },
    rules: [SIZE],
    notes: [
      FILE_ID,
      {
        en: "When posting the file card in the chat fails, the bot only logs it: the call still succeeds.",
        zh: "在聊天中发送文件卡片失败时仅记录日志，调用仍算成功。",
      },
    ],
    returns: object({ file_id: { type: ["string", "null"] } }),
    examples: [
      {
        summary: { en: "Upload a file from the web into a folder", zh: "把网络文件上传到文件夹" },
        params: {
          group_id: 20001,
          file: "https://example.com/report.pdf",
          name: "report.pdf",
          folder: "/f1e2d3c4-0001",
        },
        notes: {
          en: "group_id comes from get_group_list; folder is a folder_id from get_group_root_files.",
          zh: "group_id 来自 get_group_list；folder 为 get_group_root_files 中的 folder_id。",
        },
      },
      {
        summary: { en: "Upload a file that was streamed to the bot", zh: "上传已流式传到机器人的文件" },
        params: { group_id: 20001, file: "/srv/example/report.pdf", name: "report.pdf" },
        notes: {
          en: "file is file_path from the final answer of upload_file_stream, to be used before its retention ends.",
          zh: "file 为 upload_file_stream 最终返回的 file_path，须在保留期内使用。",
        },
      },
    ],
  },
  {
    name: "upload_private_file",
    category: "group-file",
    summary: { en: "Uploads a file and sends it to a friend.", zh: "上传文件并发给好友" },
    params: {
      user_id: userId(),
      file: source,
      name: shownName,
      upload_file: bool({
        en: "true sends the file to the user; false pre-registers it without sending.",
        zh: "true 发给对方；false 仅预登记，不发送。",
      }, { default: true }),
    },
    rules: [SIZE],
    notes: [FILE_ID],
    returns: object({ file_id: { type: ["string", "null"] } }),
    examples: [
      {
        summary: { en: "Send a file from the web to a friend", zh: "把网络文件发给好友" },
        params: { user_id: 30001, file: "https://example.com/report.pdf", name: "report.pdf" },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Send a file that was streamed to the bot", zh: "发送已流式传到机器人的文件" },
        params: { user_id: 30001, file: "/srv/example/report.pdf", name: "report.pdf" },
        notes: {
          en: "file is file_path from the final answer of upload_file_stream, to be used before its retention ends.",
          zh: "file 为 upload_file_stream 最终返回的 file_path，须在保留期内使用。",
        },
      },
    ],
  },
  {
    name: "move_group_file",
    category: "group-file",
    summary: { en: "Moves a group file to another folder.", zh: "移动群文件到其他文件夹" },
    params: {
      group_id: groupId(),
      file_id: groupFileId,
      parent_directory: nonEmpty({
        en: 'Folder the file is in now: folder_id from get_group_root_files, or "/" for the root.',
        zh: "文件当前所在文件夹：get_group_root_files 的 folder_id；根目录填“/”。",
      }),
      target_directory: nonEmpty({
        en: 'Folder to move it to: folder_id from get_group_root_files, or "/" for the root.',
        zh: "目标文件夹：get_group_root_files 的 folder_id；根目录填“/”。",
      }),
    },
    returns: NULL,
    examples: [{
      summary: { en: "Move a file from the root into a folder", zh: "把根目录的文件移入文件夹" },
      params: {
        group_id: 20001,
        file_id: "/a1b2c3d4-0001",
        parent_directory: "/",
        target_directory: "/f1e2d3c4-0001",
      },
      notes: {
        en: "file_id and the folder's id come from get_group_root_files.",
        zh: "file_id 和文件夹 ID 来自 get_group_root_files。",
      },
    }],
  },
  {
    name: "rename_group_file",
    category: "group-file",
    summary: { en: "Renames a group file.", zh: "重命名群文件" },
    params: {
      group_id: groupId(),
      file_id: groupFileId,
      current_parent_directory: string({
        en: 'Folder the file is in: folder_id from get_group_root_files, or "/" for the root.',
        zh: "文件所在文件夹：get_group_root_files 的 folder_id；根目录填“/”。",
      }, { default: "/" }),
      new_name: nonEmpty({ en: "New file name.", zh: "新文件名。" }),
    },
    rules: [live({
      en: "current_parent_directory must be the folder the file is in.",
      zh: "current_parent_directory 必须是文件所在的文件夹。",
    })],
    notes: [{ en: "ok is always true when the call succeeds.", zh: "调用成功时 ok 恒为 true。" }],
    returns: object({ ok: { const: true } }),
    examples: [
      {
        summary: { en: "Rename a file at the root", zh: "重命名根目录中的文件" },
        params: { group_id: 20001, file_id: "/a1b2c3d4-0001", new_name: "minutes.pdf" },
        notes: { en: "file_id comes from get_group_root_files.", zh: "file_id 来自 get_group_root_files。" },
      },
      {
        summary: { en: "Rename a file inside a folder", zh: "重命名文件夹中的文件" },
        params: {
          group_id: 20001,
          file_id: "/a1b2c3d4-0001",
          current_parent_directory: "/f1e2d3c4-0001",
          new_name: "minutes.pdf",
        },
        notes: {
          en: "The folder's id comes from get_group_root_files, file_id from get_group_files_by_folder.",
          zh: "文件夹 ID 来自 get_group_root_files，file_id 来自 get_group_files_by_folder。",
        },
      },
    ],
  },
  {
    name: "delete_group_file",
    category: "group-file",
    summary: { en: "Deletes a group file.", zh: "删除群文件" },
    params: {
      group_id: groupId(),
      file_id: groupFileId,
    },
    notes: [{
      en: "The account may delete its own files and, as group admin, any file.",
      zh: "可删除本账号上传的文件；作为群管理员可删除任意文件。",
    }],
    returns: NULL,
    examples: [{
      summary: { en: "Delete a group file", zh: "删除一个群文件" },
      params: { group_id: 20001, file_id: "/a1b2c3d4-0001" },
      notes: {
        en: "file_id comes from get_group_root_files or get_group_files_by_folder; others' files need admin rights.",
        zh: "file_id 来自 get_group_root_files 或 get_group_files_by_folder；删除他人文件需要管理员权限。",
      },
    }],
  },
];
