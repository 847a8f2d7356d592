/** Actions about media: cached images and voices, text recognition, and downloads to the bot host. */
import type { ActionSpec, Rule } from "../../action.ts";
import { choice, nonEmpty, raw, string } from "../../params.ts";
import { list, NUMBER, object, oneOfStrings, STRING } from "../../returns.ts";
import { anyOf, live, pattern } from "../../rules.ts";

const FILE_OR_ID: Rule = anyOf(["file", "file_id"], {
  en: "file or file_id must be given.",
  zh: "file 和 file_id 至少传一个。",
});

export const actions: readonly ActionSpec[] = [
  {
    name: "get_image",
    category: "extended",
    summary: { en: "Looks up a cached image and renews its link.", zh: "获取已缓存图片的信息和新链接" },
    readOnly: true,
    params: {
      file: string({
        en: "data.file of an image segment from get_msg, or the cached file name or URL; wins over file_id.",
        zh: "图片消息段的 data.file（见 get_msg），或已缓存的文件名、链接；优先于 file_id。",
      }, { default: "" }),
      file_id: string({
        en: "The same as file, read when file is empty.",
        zh: "同 file，file 为空时使用。",
      }, { default: "" }),
    },
    rules: [
      FILE_OR_ID,
      live({
        en: "The image must be in the local cache of the bot.",
        zh: "图片须在机器人的本地缓存中。",
      }),
    ],
    notes: [
      { en: "url is signed anew on each call and may be empty.", zh: "url 每次调用都会重新签名，可能为空。" },
      {
        en: "file in the answer equals url when one is known; it is not a local path.",
        zh: "有链接时返回的 file 等于 url，不是本地路径。",
      },
      {
        en: 'file_size is a decimal string, "0" when unknown.',
        zh: "file_size 为十进制字符串，未知时为“0”。",
      },
    ],
    returns: object({ file: STRING, url: STRING, file_size: STRING, file_name: STRING }),
    examples: [{
      summary: { en: "Get a fresh link for a received image", zh: "获取收到的图片的新链接" },
      params: { file: "A1B2C3D4.png" },
      notes: {
        en: "file is data.file of an image segment from get_msg.",
        zh: "file 为 get_msg 返回的图片消息段的 data.file。",
      },
    }],
  },
  {
    name: "get_record",
    category: "extended",
    summary: { en: "Looks up a cached voice and converts it if asked.", zh: "获取已缓存语音的信息，可转换格式" },
    readOnly: true,
    params: {
      file: string({
        en: "data.file of a record segment from get_msg; wins over file_id.",
        zh: "语音消息段的 data.file（见 get_msg）；优先于 file_id。",
      }, { default: "" }),
      file_id: string({
        en: "The same as file, read when file is empty.",
        zh: "同 file，file 为空时使用。",
      }, { default: "" }),
      out_format: choice(["mp3", "amr", "wma", "m4a", "spx", "ogg", "wav", "flac"], {
        en: "Audio format to convert to; without it nothing is converted.",
        zh: "要转换成的音频格式；不传则不转换。",
      }, { optional: true }),
    },
    rules: [
      FILE_OR_ID,
      live({
        en: "The voice must be in the local cache of the bot.",
        zh: "语音须在机器人的本地缓存中。",
      }),
      live({
        en: "out_format needs a url or file of the voice that can be resolved.",
        zh: "使用 out_format 时，语音的 url 或 file 须可解析。",
      }),
      live({
        en: "A voice to be converted must be at most 64 MiB.",
        zh: "要转换的语音不得超过 64 MiB。",
      }),
    ],
    notes: [
      {
        en: "url may be empty; file in the answer equals url when one is known.",
        zh: "url 可能为空；有链接时返回的 file 等于 url。",
      },
      {
        en: "out_format and base64 are there only when out_format was requested.",
        zh: "仅在请求了 out_format 时返回 out_format 和 base64。",
      },
      { en: "base64 carries no base64:// prefix.", zh: "base64 不带 base64:// 前缀。" },
      {
        en: "file_size is a decimal string and stays the size of the source.",
        zh: "file_size 为十进制字符串，始终是源文件的大小。",
      },
    ],
    returns: object({ file: STRING, url: STRING, file_size: STRING, file_name: STRING }, {
      out_format: oneOfStrings("mp3", "amr", "wma", "m4a", "spx", "ogg", "wav", "flac"),
      base64: STRING,
    }),
    examples: [
      {
        summary: { en: "Look up a received voice message", zh: "查询收到的语音" },
        params: { file: "A1B2C3D4.amr" },
        notes: {
          en: "file is data.file of a record segment from get_msg.",
          zh: "file 为 get_msg 返回的语音消息段的 data.file。",
        },
      },
      {
        summary: { en: "Get a received voice message as MP3", zh: "以 MP3 获取收到的语音" },
        params: { file: "A1B2C3D4.amr", out_format: "mp3" },
        notes: {
          en: "file is data.file of a record segment from get_msg.",
          zh: "file 为 get_msg 返回的语音消息段的 data.file。",
        },
      },
    ],
  },
  {
    name: "get_file",
    category: "extended",
    summary: { en: "Looks up a cached image or voice and its link.", zh: "获取已缓存图片或语音的信息" },
    readOnly: true,
    params: {
      file_id: string({
        en: "The same as file, read when file is empty.",
        zh: "同 file，file 为空时使用。",
      }, { default: "" }),
      file: string({
        en: "data.file of an image or record segment from get_msg; wins over file_id.",
        zh: "图片或语音消息段的 data.file（见 get_msg）；优先于 file_id。",
      }, { default: "" }),
    },
    rules: [
      FILE_OR_ID,
      live({
        en: "The file must be a cached image or voice.",
        zh: "文件须为已缓存的图片或语音。",
      }),
    ],
    notes: [
      { en: "For group files, use get_group_file_url instead.", zh: "群文件请改用 get_group_file_url。" },
      {
        en: "file in the answer repeats url; without a url it is the cache key.",
        zh: "返回的 file 与 url 相同；无链接时为缓存键。",
      },
      { en: "url may be empty for voices.", zh: "语音的 url 可能为空。" },
      { en: "file_size is a decimal string.", zh: "file_size 为十进制字符串。" },
    ],
    returns: object({
      file: STRING,
      url: STRING,
      file_size: { type: "string", pattern: "^[0-9]+$" },
      file_name: STRING,
    }),
    examples: [{
      summary: { en: "Look up a received image or voice", zh: "查询收到的图片或语音" },
      params: { file: "A1B2C3D4.png" },
      notes: {
        en: "file is data.file of an image or record segment from get_msg.",
        zh: "file 为 get_msg 返回的图片或语音消息段的 data.file。",
      },
    }],
  },
  {
    name: "ocr_image",
    aliases: [".ocr_image"],
    category: "extended",
    summary: { en: "Recognizes the text in an image (OCR).", zh: "图片文字识别（OCR）" },
    readOnly: true,
    params: {
      image: nonEmpty({
        en: "http(s) URL, or cached file name: data.file of an image segment from get_msg.",
        zh: "http(s) 链接，或已缓存的文件名：图片消息段的 data.file（见 get_msg）。",
      }),
    },
    rules: [pattern("image", "^(?!base64://|file://)", {
      en: "image must be an http(s) URL or the file name of a cached image; base64 and local paths fail.",
      zh: "image 须为 http(s) 链接或已缓存图片的文件名；base64 和本地路径会失败。",
    })],
    notes: [
      { en: "The server downloads the image itself.", zh: "图片由服务器自行下载。" },
      { en: "texts is empty when no text was found.", zh: "未识别到文字时 texts 为空。" },
      {
        en: "confidence and coordinates are integers in practice.",
        zh: "confidence 和坐标实际为整数。",
      },
      { en: "language may be empty.", zh: "language 可能为空。" },
    ],
    returns: object({
      texts: list(object({ text: STRING, confidence: NUMBER, coordinates: list(object({ x: NUMBER, y: NUMBER })) })),
      language: STRING,
    }),
    examples: [
      {
        summary: { en: "Read the text in a received image", zh: "识别收到的图片中的文字" },
        params: { image: "A1B2C3D4.png" },
        notes: {
          en: "image is data.file of an image segment from get_msg.",
          zh: "image 为 get_msg 返回的图片消息段的 data.file。",
        },
      },
      {
        summary: { en: "Read the text in an image from the web", zh: "识别网络图片中的文字" },
        params: { image: "https://example.com/a.png" },
      },
    ],
  },
  {
    name: "fetch_ptt_text",
    aliases: ["get_ptt_text", "get_record_text"],
    category: "extended",
    summary: { en: "Transcribes a voice message to text.", zh: "语音转文字" },
    readOnly: true,
    params: {
      message_id: string({
        en: "Id of the voice message as text, from get_group_msg_history or get_friend_msg_history; can be negative.",
        zh: "语音消息的 ID（文本），来自 get_group_msg_history 或 get_friend_msg_history；可为负数。",
      }, { default: "" }),
    },
    rules: [
      anyOf(["message_id"], { en: "message_id must be given.", zh: "必须提供 message_id。" }),
      pattern("message_id", "^-?0*[1-9][0-9]*$", {
        en: "message_id must be a whole number other than 0.",
        zh: "message_id 须为非 0 整数。",
      }),
      live({
        en: "The message must contain a voice segment that is in the local cache.",
        zh: "消息须含有已在本地缓存的语音消息段。",
      }),
    ],
    notes: [
      { en: "The call may wait up to 20 s for the result.", zh: "最多可能等待 20 秒才有结果。" },
      {
        en: "A second request for the same message cancels the first.",
        zh: "对同一消息再次请求会取消前一次请求。",
      },
    ],
    returns: object({ text: STRING }),
    examples: [{
      summary: { en: "Transcribe a voice message", zh: "将一条语音转为文字" },
      params: { message_id: "-123456" },
      notes: {
        en: "message_id comes from get_group_msg_history or get_friend_msg_history.",
        zh: "message_id 来自 get_group_msg_history 或 get_friend_msg_history。",
      },
    }],
  },
  {
    name: "download_file",
    category: "extended",
    summary: { en: "Saves a file from a URL or base64 on the bot host.", zh: "下载文件到机器人主机" },
    params: {
      url: string({
        en:
          "URL to download, such as from get_group_file_url, get_private_file_url, get_flash_file_url or download_fileset.",
        zh: "要下载的链接，如来自 get_group_file_url、get_private_file_url、get_flash_file_url 或 download_fileset。",
      }, { default: "" }),
      base64: string({
        en: "Content of the file in base64; wins over url.",
        zh: "文件内容的 base64；优先于 url。",
      }, { default: "" }),
      name: string({
        en: "File name to store under; directory parts are dropped, empty takes the MD5 of the content.",
        zh: "保存的文件名；目录部分会被去掉，留空用内容的 MD5。",
      }, { default: "" }),
    },
    undeclared: {
      headers: raw({
        en: "HTTP headers for url: text with one Key=Value per line, or an array of Key=Value texts.",
        zh: "请求 url 时的 HTTP 头：每行一个 Key=Value 的文本，或 Key=Value 文本数组。",
      }, { optional: true, schema: { type: ["string", "array"], items: { type: "string" } } }),
    },
    rules: [
      anyOf(["url", "base64"], { en: "url or base64 must be given.", zh: "url 和 base64 至少传一个。" }),
      pattern("name", "^(?!/+$|(?:.*/)?\\.{1,2}$)", {
        en: 'Without its directory parts, name must not be empty, "." or "..".',
        zh: "name 去掉目录部分后不得为空、“.”或“..”。",
      }),
    ],
    notes: [
      {
        en: "file in the answer is an absolute path on the bot host, under data/downloads of the bot.",
        zh: "返回的 file 是机器人主机上的绝对路径，位于机器人的 data/downloads 下。",
      },
      {
        en: "An existing file with the same name is overwritten.",
        zh: "同名文件会被覆盖。",
      },
      {
        en: "The size limit is 1 GiB, and fetching a URL times out after 60 s.",
        zh: "大小上限 1 GiB；下载链接 60 秒超时。",
      },
      {
        en: "headers has an effect only together with url.",
        zh: "headers 仅在使用 url 时有效。",
      },
    ],
    returns: object({ file: STRING }),
    examples: [
      {
        summary: { en: "Download a file from a link", zh: "从链接下载文件" },
        params: { url: "https://example.com/report.pdf", name: "report.pdf" },
        notes: {
          en: "The link can come from get_group_file_url; a file of this name is overwritten.",
          zh: "链接可来自 get_group_file_url；同名文件会被覆盖。",
        },
      },
      {
        summary: { en: "Download with request headers", zh: "带请求头下载" },
        params: {
          url: "https://example.com/a.png",
          headers: ["Referer=https://example.com/", "User-Agent=example"],
        },
      },
      {
        summary: { en: "Store content given in base64", zh: "保存 base64 内容" },
        params: { base64: "SGVsbG8=", name: "hello.txt" },
      },
    ],
  },
];
