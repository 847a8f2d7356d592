/** All actions the simulator plays, by name; aliases are resolved before. */
import { account } from "./account.ts";
import { albums } from "./albums.ts";
import { cards } from "./cards.ts";
import { downloadFileStream, downloadImageStream, downloadRecordStream, testDownloadStream } from "./downloads.ts";
import { flash } from "./flash.ts";
import { forwards } from "./forwards.ts";
import { friends } from "./friends.ts";
import { groupFiles } from "./group_files.ts";
import { groups } from "./groups.ts";
import type { Handlers, StreamHandler } from "./handler.ts";
import { host } from "./host.ts";
import { media } from "./media.ts";
import { members } from "./members.ts";
import { messages } from "./messages.ts";
import { notices } from "./notices.ts";
import { qzone } from "./qzone.ts";
import { reactions } from "./reactions.ts";
import { requests } from "./requests.ts";
import { secrets } from "./secrets.ts";
import { uploadFileStream } from "./uploads.ts";
import { voices } from "./voices.ts";

/** Actions with one answer. */
export const ACTIONS: Handlers = {
  ...account,
  ...albums,
  ...cards,
  ...flash,
  ...forwards,
  ...friends,
  ...groupFiles,
  ...groups,
  ...host,
  ...media,
  ...members,
  ...messages,
  ...notices,
  ...qzone,
  ...reactions,
  ...requests,
  ...secrets,
  ...voices,
};

/** Actions with frames. */
export const STREAM_ACTIONS: Readonly<Record<string, StreamHandler>> = {
  download_file_image_stream: downloadImageStream,
  download_file_record_stream: downloadRecordStream,
  download_file_stream: downloadFileStream,
  test_download_stream: testDownloadStream,
  upload_file_stream: uploadFileStream,
};
