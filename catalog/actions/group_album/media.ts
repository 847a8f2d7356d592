/** Actions about single items of a group album (群相册): likes, comments and deletion. */
import type { ActionSpec, ParamSpec, Rule, Text } from "../../action.ts";
import { groupId, nonEmpty, string } from "../../params.ts";
import { INT, list, object, STRING } from "../../returns.ts";
import { pattern } from "../../rules.ts";

const albumId: ParamSpec = nonEmpty({
  en: "Album id: id from get_group_album_list, or album_id from get_qun_album_list.",
  zh: "相册 ID：get_group_album_list 的 id 或 get_qun_album_list 的 album_id。",
});

const batchId: ParamSpec = nonEmpty({
  en: "Batch id, a decimal number as text: mediaList[].batchId from get_group_album_media_list.",
  zh: "批次 ID，数字文本：get_group_album_media_list 的 mediaList[].batchId。",
});

const LLOC: Text = {
  en: "Media to act on: mediaList[].image.lloc from get_group_album_media_list.",
  zh: "目标媒体：get_group_album_media_list 的 mediaList[].image.lloc。",
};

const LIKE_LLOC: Text = {
  en: "Media to act on: mediaList[].image.lloc from get_group_album_media_list; empty counts as not given.",
  zh: "目标媒体：get_group_album_media_list 的 mediaList[].image.lloc；留空视为未填。",
};

const BATCH_ID_IS_DECIMAL: Rule = pattern("batch_id", "^[0-9]+$", {
  en: "batch_id must consist of digits only; otherwise the call fails with retcode 100.",
  zh: "batch_id 只能由数字组成，否则以 retcode 100 失败。",
});

const MAY_BE_EMPTY: Text = {
  en: "id and status may both be absent: the answer can be an empty object.",
  zh: "id 和 status 都可能缺失，返回可能是空对象。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_album_media_like",
    category: "group-album",
    summary: { en: "Likes a photo or other media in a group album.", zh: "点赞群相册中的照片等媒体" },
    params: {
      group_id: groupId(),
      album_id: albumId,
      batch_id: batchId,
      lloc: string(LIKE_LLOC, { optional: true }),
    },
    rules: [BATCH_ID_IS_DECIMAL],
    notes: [MAY_BE_EMPTY],
    returns: object({}, { id: STRING, status: INT }),
    examples: [{
      summary: { en: "Like a photo in an album", zh: "给相册中的照片点赞" },
      params: { group_id: 20001, album_id: "example-album", batch_id: "1700000000", lloc: "example-lloc" },
      notes: {
        en: "album_id comes from get_group_album_list, batch_id and lloc from get_group_album_media_list.",
        zh: "album_id 来自 get_group_album_list，batch_id 和 lloc 来自 get_group_album_media_list。",
      },
    }],
  },
  {
    name: "cancel_group_album_media_like",
    category: "group-album",
    summary: { en: "Takes back the like on media in a group album.", zh: "取消对群相册媒体的点赞" },
    params: {
      group_id: groupId(),
      album_id: albumId,
      batch_id: batchId,
      lloc: string(LIKE_LLOC, { optional: true }),
    },
    rules: [BATCH_ID_IS_DECIMAL],
    notes: [MAY_BE_EMPTY],
    returns: object({}, { id: STRING, status: INT }),
    examples: [{
      summary: { en: "Take back the like on a photo", zh: "取消对照片的点赞" },
      params: { group_id: 20001, album_id: "example-album", batch_id: "1700000000", lloc: "example-lloc" },
      notes: {
        en: "album_id comes from get_group_album_list, batch_id and lloc from get_group_album_media_list.",
        zh: "album_id 来自 get_group_album_list，batch_id 和 lloc 来自 get_group_album_media_list。",
      },
    }],
  },
  {
    name: "do_group_album_comment",
    category: "group-album",
    summary: { en: "Comments on a photo or other media in a group album.", zh: "评论群相册中的照片等媒体" },
    params: {
      group_id: groupId(),
      album_id: albumId,
      lloc: nonEmpty(LLOC),
      content: nonEmpty({ en: "Text of the comment.", zh: "评论内容。" }),
    },
    notes: [
      {
        en: "time in the answer is a Unix time in seconds, as decimal text.",
        zh: "返回的 time 是 Unix 时间戳（秒），为十进制文本。",
      },
      { en: "user.uin is text.", zh: "user.uin 为文本。" },
      {
        en: "Newer builds fail when the media is not in the album.",
        zh: "较新版本在媒体不属于该相册时会失败。",
      },
    ],
    returns: object({
      id: STRING,
      user: object({ uin: STRING }),
      content: list(object({ type: INT, content: STRING })),
      time: STRING,
      clientKey: STRING,
    }),
    examples: [{
      summary: { en: "Comment on a photo", zh: "评论一张照片" },
      params: { group_id: 20001, album_id: "example-album", lloc: "example-lloc", content: "Nice shot!" },
      notes: {
        en: "album_id comes from get_group_album_list, lloc from get_group_album_media_list.",
        zh: "album_id 来自 get_group_album_list，lloc 来自 get_group_album_media_list。",
      },
    }],
  },
  {
    name: "del_group_album_media",
    category: "group-album",
    summary: { en: "Deletes a photo or other media from a group album.", zh: "删除群相册中的照片等媒体" },
    params: {
      group_id: groupId(),
      album_id: albumId,
      lloc: nonEmpty(LLOC),
    },
    notes: [
      { en: "The media is identified by lloc, not by batch id.", zh: "以 lloc 指定媒体，而不是批次 ID。" },
      { en: "success is always true when the call succeeds.", zh: "调用成功时 success 恒为 true。" },
    ],
    returns: object({ success: { const: true } }),
    examples: [{
      summary: { en: "Delete a photo from an album", zh: "从相册删除一张照片" },
      params: { group_id: 20001, album_id: "example-album", lloc: "example-lloc" },
      notes: {
        en: "album_id comes from get_group_album_list, lloc from get_group_album_media_list.",
        zh: "album_id 来自 get_group_album_list，lloc 来自 get_group_album_media_list。",
      },
    }],
  },
];
