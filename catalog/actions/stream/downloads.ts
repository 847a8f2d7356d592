/** Actions that send a file from the bot as a stream of base64 chunks. */
import type { ActionSpec, ParamSpec, Rule, Schema, Text } from "../../action.ts";
import { bool, int, string } from "../../params.ts";
import { COUNT, object, STRING } from "../../returns.ts";
import { anyOf } from "../../rules.ts";

const FRAMES: Schema = {
  oneOf: [
    object({
      type: { const: "stream" },
      data_type: { const: "file_info" },
      file_name: STRING,
      file_size: COUNT,
      chunk_size: COUNT,
    }),
    object({
      type: { const: "stream" },
      data_type: { const: "file_chunk" },
      index: COUNT,
      data: STRING,
      size: COUNT,
      progress: COUNT,
      base64_size: COUNT,
    }),
    object({
      type: { const: "response" },
      data_type: { const: "file_complete" },
      file_name: STRING,
      total_chunks: COUNT,
      total_bytes: COUNT,
      message: STRING,
    }),
  ],
};

const chunkSize: ParamSpec = int({
  en: "Size of a chunk before base64, for local files only; default 65536, more than 16777216 counts as that.",
  zh: "每块大小（base64 编码前），仅对本地文件有效；默认 65536，超过 16777216 按其处理。",
}, { min: 1, optional: true, unit: "bytes" });

const FILE_OR_ID: Rule = anyOf(["file", "file_id"], {
  en: "file or file_id must be given.",
  zh: "file 和 file_id 至少传一个。",
});

const NOTES: readonly Text[] = [
  {
    en: "invoke_action saves the file on its own machine and gives file_path, file_size and sha256 instead of frames.",
    zh: "invoke_action 会把文件保存到自身所在机器，只返回 file_path、file_size 与 sha256，不返回各帧。",
  },
  {
    en: "The frames are one file_info, any number of file_chunk, then one file_complete.",
    zh: "依次返回一个 file_info、若干 file_chunk、一个 file_complete。",
  },
  {
    en: "data is standard base64 of its chunk alone: decode each chunk, then join the bytes.",
    zh: "data 是该块单独的标准 base64：须逐块解码后再拼接。",
  },
  {
    en: "progress runs from 0 to 100; file_size is 0 when the size is unknown.",
    zh: "progress 为 0 到 100；大小未知时 file_size 为 0。",
  },
  {
    en: "Of local files, only those uploaded with upload_file_stream can be read.",
    zh: "本地文件仅能读取经 upload_file_stream 上传的。",
  },
  {
    en: "URLs that lead to loopback, private or similar internal addresses are refused.",
    zh: "指向本机、内网等内部地址的链接会被拒绝。",
  },
  {
    en: "Limits: 4 GiB in total, 30 s to the response headers of a URL, 60 s without data.",
    zh: "限制：总计 4 GiB；链接须 30 秒内返回响应头，且不得 60 秒无数据。",
  },
];

export const actions: readonly ActionSpec[] = [
  {
    name: "download_file_stream",
    category: "stream",
    summary: { en: "Downloads a file through the bot in base64 chunks.", zh: "流式分块下载文件" },
    stream: true,
    params: {
      file: string({
        en: "File to stream: file_path from upload_file_stream or url of a media segment; wins over file_id.",
        zh: "要下载的文件：upload_file_stream 的 file_path 或媒体消息段的 url；优先于 file_id。",
      }, { optional: true }),
      file_id: string({
        en: "Cached image or voice: data.file of its segment.",
        zh: "已缓存的图片或语音：其消息段的 data.file。",
      }, { optional: true }),
      chunk_size: chunkSize,
    },
    rules: [FILE_OR_ID],
    notes: NOTES,
    returns: FRAMES,
    examples: [
      {
        summary: { en: "Download from a link", zh: "从链接下载" },
        params: { file: "https://example.com/video.mp4" },
        notes: {
          en: "file is the url of a received media segment.",
          zh: "file 为收到的媒体消息段的 url。",
        },
      },
      {
        summary: { en: "Read back an uploaded file in larger chunks", zh: "以较大的块读回已上传的文件" },
        params: { file: "/srv/example/report.pdf", chunk_size: 262144 },
        notes: {
          en: "file is file_path from the final answer of upload_file_stream.",
          zh: "file 为 upload_file_stream 最终返回的 file_path。",
        },
      },
    ],
  },
  {
    name: "download_file_image_stream",
    category: "stream",
    summary: { en: "Downloads an image through the bot in base64 chunks.", zh: "流式分块下载图片" },
    stream: true,
    params: {
      file: string({
        en: "Image to stream: data.file or data.url of an image segment; wins over file_id.",
        zh: "要下载的图片：图片消息段的 data.file 或 data.url；优先于 file_id。",
      }, { optional: true }),
      file_id: string({
        en: "Cached image: data.file of an image segment.",
        zh: "已缓存的图片：图片消息段的 data.file。",
      }, { optional: true }),
      chunk_size: chunkSize,
    },
    rules: [FILE_OR_ID],
    notes: NOTES,
    returns: FRAMES,
    examples: [{
      summary: { en: "Download a received image", zh: "下载收到的图片" },
      params: { file: "A1B2C3D4.png" },
      notes: {
        en: "file is data.file of an image segment, for example from get_msg.",
        zh: "file 为图片消息段的 data.file，例如来自 get_msg。",
      },
    }],
  },
  {
    name: "download_file_record_stream",
    category: "stream",
    summary: { en: "Downloads a voice message through the bot in base64 chunks.", zh: "流式分块下载语音" },
    stream: true,
    params: {
      file: string({
        en: "Voice to stream: data.file or data.url of a record segment; wins over file_id.",
        zh: "要下载的语音：语音消息段的 data.file 或 data.url；优先于 file_id。",
      }, { optional: true }),
      file_id: string({
        en: "Cached voice: data.file of a record segment.",
        zh: "已缓存的语音：语音消息段的 data.file。",
      }, { optional: true }),
      chunk_size: chunkSize,
    },
    rules: [FILE_OR_ID],
    notes: [
      {
        en: "The voice is not transcoded but comes in its original format.",
        zh: "不转码，保持语音的原始格式。",
      },
      ...NOTES,
    ],
    returns: FRAMES,
    examples: [{
      summary: { en: "Download a received voice message", zh: "下载收到的语音" },
      params: { file: "A1B2C3D4.amr" },
      notes: {
        en: "file is data.file of a record segment, for example from get_msg.",
        zh: "file 为语音消息段的 data.file，例如来自 get_msg。",
      },
    }],
  },
  {
    name: "test_download_stream",
    category: "stream",
    summary: { en: "Sends ten test frames to try out streamed answers.", zh: "测试流式下载" },
    stream: true,
    params: {
      error: bool({
        en: "true ends the stream with a failed frame instead of data_complete.",
        zh: "true 时以失败帧结束，而不是 data_complete。",
      }, { default: false }),
    },
    notes: [{
      en: "Ten data_chunk frames always come first.",
      zh: "总是先返回十个 data_chunk 帧。",
    }],
    returns: {
      oneOf: [
        object({ type: { const: "stream" }, data_type: { const: "data_chunk" }, data: STRING }),
        object({ type: { const: "response" }, data_type: { const: "data_complete" }, data: STRING }),
      ],
    },
    examples: [
      { summary: { en: "Try a stream that succeeds", zh: "测试成功的流" }, params: {} },
      { summary: { en: "Try a stream that fails at its end", zh: "测试以失败结束的流" }, params: { error: true } },
    ],
  },
];
