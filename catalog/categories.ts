/** The action families: their order in lists and what people call them. */
import type { CategorySlug, Text } from "./action.ts";

export const CATEGORIES: Readonly<Record<CategorySlug, Text>> = {
  message: { en: "Messages", zh: "消息" },
  info: { en: "Account and bot", zh: "账号与机器人" },
  friend: { en: "Friends", zh: "好友" },
  request: { en: "Join and friend requests", zh: "加群与好友申请" },
  "group-info": { en: "Group information", zh: "群信息" },
  "group-admin": { en: "Group administration", zh: "群管理" },
  "group-file": { en: "Group files", zh: "群文件" },
  "group-album": { en: "Group albums", zh: "群相册" },
  qzone: { en: "Qzone", zh: "QQ 空间" },
  stream: { en: "File streams", zh: "文件流" },
  extended: { en: "Extended", zh: "扩展" },
};
