/** The synonym table that ours had when this was written. The bench compares answers, so it sees where they part. */
const ROWS = [
  "group 群 群聊 群组",
  "friend 好友 朋友 contact buddy",
  "member 成员 群员 user participant people person",
  "list 列表",
  "info information detail details profile 信息 资料 详情",
  "message msg 消息 text",
  "send post write 发送 发 发消息 发布 reply 回复",
  "recall withdraw unsend revoke 撤回 delete_msg",
  "delete remove del erase 删除 移除 删",
  "ban mute silence gag shut 禁言 禁 封禁 muzzle",
  "unmute unban 解禁 解除禁言",
  "kick remove_member expel 踢 踢出 踢人 移出",
  "admin administrator manager moderator 管理员 管理",
  "card nickname nick 名片 昵称 群名片",
  "title 头衔 专属头衔",
  "name rename 名称 改名 重命名 群名",
  "leave quit 退出 退群 离开",
  "notice announcement announce bulletin 公告 群公告",
  "essence highlight pin featured 精华 精华消息",
  "file document 文件",
  "folder directory 文件夹 目录",
  "upload 上传",
  "download fetch 下载",
  "image picture photo img 图片 照片 图",
  "voice record audio ptt 语音 录音 声音",
  "avatar portrait 头像",
  "album 相册",
  "like thumb likes praise 点赞 赞",
  "poke nudge 戳一戳 戳 拍一拍",
  "emoji reaction face sticker 表情 回应",
  "forward relay 转发 合并转发",
  "history log past 历史 记录 聊天记录",
  "request application apply 请求 申请",
  "approve accept agree 同意 通过 批准",
  "reject refuse deny decline 拒绝",
  "status state online 状态 在线",
  "login account self me bot 登录 账号 自己 机器人",
  "version 版本",
  "cookie cookies credential credentials 凭证",
  "token csrf rkey clientkey 密钥",
  "qzone space feed shuoshuo 空间 说说 动态",
  "comment 评论",
  "todo 待办",
  "sign checkin signin 打卡 签到",
  "read mark 已读 标记",
  "translate translation 翻译",
  "ocr 识别 文字识别",
  "share ark 分享 推荐",
  "remark alias note 备注",
  "signature longnick 签名 个性签名",
  "stranger 陌生人",
  "honor 荣誉",
  "restart reboot 重启",
  "cache 缓存",
  "url link 链接 地址",
  "ai 人工智能",
  "collection favorite favourite bookmark 收藏",
  "remaining remain quota left 剩余 次数",
];

const HINTS = {
  who: ["member list", "member"],
  谁: ["member list", "member"],
  群成员: ["member list", "member"],
  群友: ["member list", "member"],
  members: ["member list", "member"],
  chat: ["message", "msg", "history", "会话"],
  conversation: ["message", "msg", "history", "会话"],
  聊天: ["message", "msg", "history", "会话"],
};

export const STOP_WORDS = new Set(
  "a an the is are was be do does did can could how to of in on at for from with by my our your i we you it its this that these those what which please 的 了 吗 怎么 如何"
    .split(" "),
);

const GROUPS = new Map();
for (const row of ROWS) {
  const words = row.split(" ");
  for (const word of words) GROUPS.set(word, [...new Set([...(GROUPS.get(word) ?? []), ...words])]);
}
for (const [word, others] of Object.entries(HINTS)) GROUPS.set(word, [...(GROUPS.get(word) ?? []), ...others]);

export function synonymsOf(word) {
  return (GROUPS.get(word) ?? []).filter((other) => other !== word);
}
