/** Actions that upload a file to the bot host in chunks, and clean up after streams. */
import type { ActionSpec } from "../../action.ts";
import { bool, int, nonEmpty, string } from "../../params.ts";
import { COUNT, object, STRING } from "../../returns.ts";
import { lessThan, live, pattern } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "upload_file_stream",
    category: "stream",
    summary: { en: "Uploads a file to the bot host in base64 chunks.", zh: "流式分块上传文件到机器人主机" },
    stream: true,
    params: {
      stream_id: nonEmpty({
        en: "Name of the upload, chosen by the caller; the same in all of its calls.",
        zh: "上传标识，由调用方自定；同一上传的各次调用须相同。",
      }),
      chunk_data: string({
        en: "Content of this chunk in base64; ignored without chunk_index.",
        zh: "本块内容的 base64；缺少 chunk_index 时被忽略。",
      }, { optional: true }),
      chunk_index: int({
        en: "Position of this chunk, from 0; chunks may come in any order.",
        zh: "本块序号，从 0 开始；各块顺序不限。",
      }, { min: 0, optional: true }),
      total_chunks: int({
        en: "Number of chunks, at most 200000; needed on the first call, ignored later.",
        zh: "总块数，最多 200000；首次调用必填，之后忽略。",
      }, { min: 1, optional: true }),
      file_size: int({
        en: "Size of the whole file; checked against the 4 GiB limit only.",
        zh: "整个文件的大小；仅用于检查 4 GiB 上限。",
      }, { min: 0, optional: true, unit: "bytes" }),
      expected_sha256: string({
        en: "SHA-256 of the whole file in lowercase hex; the comparison is case-sensitive.",
        zh: "整个文件的 SHA-256，小写十六进制；比较区分大小写。",
      }, { optional: true }),
      is_complete: bool({
        en: "true completes the upload, failing while chunks are missing; ignored on a call with a chunk.",
        zh: "true 完成上传，缺块时失败；携带分块的调用中被忽略。",
      }, { optional: true }),
      filename: string({
        en: "File name to store under; read on the first call only.",
        zh: "保存的文件名；仅首次调用有效。",
      }, { optional: true }),
      reset: bool({
        en: "true discards the upload; the answer is then failed on purpose.",
        zh: "true 丢弃该上传；此时会特意返回失败。",
      }, { optional: true }),
      verify_only: bool({
        en: "true only reports how many chunks have arrived.",
        zh: "true 仅查询已收到的块数。",
      }, { optional: true }),
      file_retention: int({
        en: "How long the merged file is kept; 0 keeps it forever. Read on the first call only.",
        zh: "合并后文件的保留时长；0 表示永久保留。仅首次调用有效。",
      }, { min: 0, default: 300000, unit: "ms" }),
    },
    rules: [
      pattern("stream_id", "^[A-Za-z0-9_-]{1,128}$", {
        en: "stream_id must be 1 to 128 letters, digits, underscores or hyphens.",
        zh: "stream_id 须为 1 到 128 个字母、数字、下划线或连字符。",
      }),
      lessThan("chunk_index", "total_chunks", {
        en: "chunk_index must be less than total_chunks.",
        zh: "chunk_index 必须小于 total_chunks。",
      }),
      live({
        en: "The first call of a stream must carry total_chunks.",
        zh: "同一上传的首次调用必须带 total_chunks。",
      }),
      live({
        en: "verify_only needs a stream_id whose upload exists.",
        zh: "verify_only 要求 stream_id 对应的上传已存在。",
      }),
      live({
        en: "total_chunks must be at most 200000, and a decoded chunk at most 33554432 bytes.",
        zh: "total_chunks 不得超过 200000，解码后的单块不得超过 33554432 字节。",
      }),
    ],
    notes: [
      {
        en:
          "With execution.input_file, invoke_action sends a whole file and sets all params but filename and file_retention.",
        zh:
          "invoke_action 加 execution.input_file 会自动上传整个文件，除 filename 与 file_retention 外的参数均由其设置。",
      },
      {
        en: "Send each chunk in its own call, then finish with is_complete in a call without a chunk.",
        zh: "每块各调用一次，最后用一次不带分块的调用传 is_complete 完成上传。",
      },
      {
        en: "Each call answers with one frame; acknowledgments have type stream and are final all the same.",
        zh: "每次调用只返回一帧；确认帧的 type 虽为 stream，也是最后一帧。",
      },
      {
        en: "Any chunkless call but verify_only and reset completes the upload once all chunks are in.",
        zh: "各块到齐后，除 verify_only 和 reset 外，任何不带分块的调用都会完成上传。",
      },
      {
        en: "Completion returns file_path on the bot host, and sha256 in lowercase hex.",
        zh: "完成时返回机器人主机上的 file_path，以及小写十六进制的 sha256。",
      },
      {
        en: "A chunk_index sent twice is acknowledged, but its data is ignored: repeating a chunk is safe.",
        zh: "重复的 chunk_index 会被确认，但数据被忽略：重发分块是安全的。",
      },
      {
        en: "reset answers failed with retcode 100 even though it worked.",
        zh: "reset 即使生效，也会返回失败（retcode 100）。",
      },
      {
        en: "verify_only answers with status file_created and the current counts.",
        zh: "verify_only 返回状态 file_created 和当前计数。",
      },
      {
        en: "SnowLuma 1.11 takes HTTP bodies up to 2 MiB; chunks of 1 MiB before base64 are safe everywhere.",
        zh: "SnowLuma 1.11 的 HTTP 请求体上限为 2 MiB；编码前每块 1 MiB 在各版本均安全。",
      },
      {
        en: "An upload that stores no chunk for 10 minutes is discarded; a restart of the bot discards all of them.",
        zh: "10 分钟内未存入新分块的上传会被丢弃；机器人重启会丢弃全部上传。",
      },
      {
        en: "When expected_sha256 does not match, the merged file is deleted but the upload stays.",
        zh: "expected_sha256 不匹配时会删除合并后的文件，但该上传仍保留。",
      },
      {
        en: "Once completed, the upload is forgotten: if its last answer got lost, start over with a new stream_id.",
        zh: "完成后该上传即被遗忘：若最后的返回丢失，请换新的 stream_id 重新上传。",
      },
    ],
    returns: {
      oneOf: [
        object({
          type: { const: "stream" },
          stream_id: STRING,
          status: { enum: ["chunk_received", "file_created"] },
          received_chunks: COUNT,
          total_chunks: COUNT,
        }),
        object({
          type: { const: "response" },
          stream_id: STRING,
          status: { const: "file_complete" },
          received_chunks: COUNT,
          total_chunks: COUNT,
          file_path: STRING,
          file_size: COUNT,
          sha256: STRING,
        }),
      ],
    },
    examples: [
      {
        summary: { en: "Start an upload with its first chunk", zh: "以第一块开始上传" },
        params: {
          stream_id: "example-upload-1",
          total_chunks: 1,
          file_size: 5,
          filename: "hello.txt",
          chunk_index: 0,
          chunk_data: "SGVsbG8=",
        },
        notes: {
          en: "Choose a new stream_id for each upload; more chunks follow in calls of their own.",
          zh: "每次上传自选新的 stream_id；其余分块各用一次调用发送。",
        },
      },
      {
        summary: { en: "Finish the upload and check its hash", zh: "完成上传并校验哈希" },
        params: {
          stream_id: "example-upload-1",
          is_complete: true,
          expected_sha256: "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
        },
        notes: {
          en: "All chunks must be in. Pass file_path of the answer to an upload or send action before retention ends.",
          zh: "须各块到齐。请在保留期内把返回的 file_path 传给上传或发送类动作。",
        },
      },
      {
        summary: { en: "Ask how many chunks have arrived", zh: "查询已收到多少块" },
        params: { stream_id: "example-upload-1", verify_only: true },
        notes: {
          en: "The upload must have been started with this stream_id and not be finished.",
          zh: "须已用该 stream_id 开始上传且尚未完成。",
        },
      },
    ],
  },
  {
    name: "clean_stream_temp_file",
    category: "stream",
    summary: { en: "Empties the stream temp folders of all accounts.", zh: "清空所有账号的流式临时文件" },
    risk: "dangerous",
    params: {},
    notes: [
      {
        en: "This affects all accounts of the bot process, not only the current one.",
        zh: "影响该机器人进程的所有账号，不只是当前账号。",
      },
      {
        en: "SnowLuma 1.11 also drops uploads in progress; newer builds keep them.",
        zh: "SnowLuma 1.11 还会丢弃进行中的上传，较新版本会保留。",
      },
      { en: "removed counts top-level entries.", zh: "removed 只计顶层条目数。" },
      {
        en: "The answer is an ordinary single one, not a stream of frames.",
        zh: "返回普通的单个应答，不是流式帧。",
      },
    ],
    returns: object({ message: { const: "success" }, removed: COUNT }),
    examples: [{
      summary: { en: "Remove the temp files left by streams", zh: "清理流式传输留下的临时文件" },
      params: {},
      notes: {
        en: "Make sure that no account still needs a file_path from upload_file_stream.",
        zh: "请先确认没有账号还要使用 upload_file_stream 返回的 file_path。",
      },
    }],
  },
];
