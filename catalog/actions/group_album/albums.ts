/** Actions about the albums of a group (群相册): listing them, and uploading into them. */
import type { ActionSpec, ParamSpec, Schema } from "../../action.ts";
import { groupId, nonEmpty, string } from "../../params.ts";
import { BOOL, INT, list, NULL, nullable, object, STRING } from "../../returns.ts";

const albumId: ParamSpec = nonEmpty({
  en: "Album id: id from get_group_album_list, or album_id from get_qun_album_list.",
  zh: "相册 ID：get_group_album_list 的 id 或 get_qun_album_list 的 album_id。",
});

/** A picture in the lists of albums, where every field is there. */
const COVER_IMAGE: Schema = object({
  name: STRING,
  sloc: STRING,
  lloc: STRING,
  photoUrls: list(object({ spec: INT, url: nullable(object({ url: STRING, width: INT, height: INT })) })),
  defaultUrl: nullable(object({ url: STRING, width: INT, height: INT })),
  isGif: BOOL,
  hasRaw: BOOL,
});
const COVER: Schema = nullable(object({ type: INT, image: nullable(COVER_IMAGE) }));

/** A picture in the list of an album's media, where any field may be missing. */
const MEDIA_IMAGE: Schema = nullable(object({}, {
  name: STRING,
  sloc: STRING,
  lloc: STRING,
  photoUrls: list(object({}, { spec: INT, url: nullable(object({}, { url: STRING, width: INT, height: INT })) })),
  defaultUrl: nullable(object({}, { url: STRING, width: INT, height: INT })),
  isGif: BOOL,
  hasRaw: BOOL,
}));

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_album_list",
    category: "group-album",
    summary: { en: "Lists all albums of a group in one call.", zh: "获取群相册列表（一次取全）" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "The bot fetches all pages itself; there is no paging parameter.",
        zh: "机器人自行取完所有分页，没有翻页参数。",
      },
      {
        en: "createuin is text; picNum and the times are numbers.",
        zh: "createuin 为文本；picNum 和各时间为数字。",
      },
      {
        en: "SnowLuma 1.11 returns only id, name, picNum and createTime.",
        zh: "SnowLuma 1.11 只返回 id、name、picNum 和 createTime。",
      },
    ],
    returns: list(object({
      id: STRING,
      name: STRING,
      picNum: INT,
      createTime: INT,
      last_upload_time: INT,
      cover: COVER,
      createuin: STRING,
      createnickname: STRING,
    })),
    examples: [{
      summary: { en: "List the albums of a group", zh: "列出某群的相册" },
      params: { group_id: 20001 },
      notes: {
        en: "group_id comes from get_group_list; other actions take id of the answer as album_id.",
        zh: "group_id 来自 get_group_list；返回的 id 即其他动作的 album_id。",
      },
    }],
  },
  {
    name: "get_qun_album_list",
    category: "group-album",
    summary: { en: "Lists the albums of a group page by page.", zh: "分页获取群相册列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
      attach_info: string({
        en: "Page mark: attach_info of the previous answer; empty starts at the first page.",
        zh: "翻页标记：上次返回的 attach_info；留空从第一页开始。",
      }, { default: "" }),
    },
    notes: [
      {
        en: "While has_more is true, pass attach_info of the answer back to get the next page.",
        zh: "has_more 为 true 时，把返回的 attach_info 传回以取下一页。",
      },
      {
        en: "Counts and times are decimal strings here.",
        zh: "此处的数量和时间均为十进制字符串。",
      },
      {
        en: "SnowLuma 1.11 answers differently: album_name, and create_time and pic_num as integers.",
        zh: "SnowLuma 1.11 的结构不同：有 album_name，且 create_time、pic_num 为整数。",
      },
      {
        en: "The shape of the answer is known from documentation only.",
        zh: "返回结构仅依据文档得知。",
      },
    ],
    returns: object({
      album_list: list(object({
        album_id: STRING,
        name: STRING,
        create_time: STRING,
        last_upload_time: STRING,
        upload_number: STRING,
        cover: COVER,
      }, { creator: object({}, { uin: STRING, uid: STRING, nick: STRING }) })),
      attach_info: STRING,
      has_more: BOOL,
    }),
    examples: [
      {
        summary: { en: "Get the first page of albums", zh: "获取第一页相册" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Get the next page", zh: "获取下一页" },
        params: { group_id: 20001, attach_info: "example-page-2" },
        notes: {
          en: "group_id comes from get_group_list, attach_info from the previous answer, whose has_more was true.",
          zh: "group_id 来自 get_group_list，attach_info 来自上一次返回，且其 has_more 为 true。",
        },
      },
    ],
  },
  {
    name: "get_group_album_media_list",
    category: "group-album",
    summary: { en: "Lists the photos and videos in a group album.", zh: "获取群相册中的照片和视频" },
    readOnly: true,
    params: {
      group_id: groupId(),
      album_id: albumId,
      attach_info: string({
        en: "Page mark: nextAttachInfo of the previous answer; empty starts at the first page.",
        zh: "翻页标记：上次返回的 nextAttachInfo；留空从第一页开始。",
      }, { default: "" }),
    },
    notes: [
      {
        en: "An empty nextAttachInfo means that there are no more pages.",
        zh: "nextAttachInfo 为空表示没有更多分页。",
      },
      {
        en: "64-bit numbers are decimal strings.",
        zh: "64 位数字均为十进制字符串。",
      },
      {
        en: "Each item carries either image or video; the other one is null or absent.",
        zh: "每项只有 image 或 video 之一，另一个为 null 或缺失。",
      },
    ],
    returns: object({
      mediaList: list(object({}, {
        type: INT,
        image: MEDIA_IMAGE,
        video: nullable(object({}, {
          id: STRING,
          url: STRING,
          cover: MEDIA_IMAGE,
          width: INT,
          height: INT,
          videoTime: STRING,
          videoUrl: { type: "array" },
        })),
        uploader: STRING,
        batchId: STRING,
        uploadTime: STRING,
      })),
      nextAttachInfo: STRING,
    }),
    examples: [
      {
        summary: { en: "List the media of an album", zh: "列出相册中的媒体" },
        params: { group_id: 20001, album_id: "example-album" },
        notes: {
          en: "group_id comes from get_group_list, album_id from get_group_album_list or get_qun_album_list.",
          zh: "group_id 来自 get_group_list，album_id 来自 get_group_album_list 或 get_qun_album_list。",
        },
      },
      {
        summary: { en: "Get the next page", zh: "获取下一页" },
        params: { group_id: 20001, album_id: "example-album", attach_info: "example-page-2" },
        notes: {
          en: "Repeat the call with nextAttachInfo of the previous answer as attach_info.",
          zh: "其余参数不变，attach_info 为上一次返回的 nextAttachInfo。",
        },
      },
    ],
  },
  {
    name: "upload_image_to_qun_album",
    category: "group-album",
    summary: { en: "Uploads an image to a group album.", zh: "上传图片到群相册" },
    params: {
      group_id: groupId(),
      album_id: albumId,
      album_name: nonEmpty({
        en: "Name of that album: name from get_group_album_list.",
        zh: "该相册的名称：get_group_album_list 的 name。",
      }),
      file: nonEmpty({
        en: "Image to upload: path on the bot host, file://, http(s) URL or base64://.",
        zh: "要上传的图片：机器人主机上的路径、file://、http(s) 链接或 base64://。",
      }),
    },
    notes: [
      {
        en: "No media id is returned; find the image with get_group_album_media_list.",
        zh: "不返回媒体 ID；可用 get_group_album_media_list 查找上传的图片。",
      },
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Upload an image from the web", zh: "上传网络图片" },
      params: {
        group_id: 20001,
        album_id: "example-album",
        album_name: "Trip",
        file: "https://example.com/a.png",
      },
      notes: {
        en: "album_id and album_name are id and name from get_group_album_list.",
        zh: "album_id、album_name 即 get_group_album_list 的 id、name。",
      },
    }],
  },
];
