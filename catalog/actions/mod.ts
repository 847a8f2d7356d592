/** Every authored action, family by family. */
import type { ActionSpec } from "../action.ts";
import { actions as message } from "./message.ts";
import { actions as info } from "./info.ts";
import { actions as friend } from "./friend.ts";
import { actions as request } from "./request.ts";
import { actions as groupInfo } from "./group_info.ts";
import { actions as groupMembers } from "./group_admin/members.ts";
import { actions as groupProfile } from "./group_admin/profile.ts";
import { actions as groupState } from "./group_admin/state.ts";
import { actions as groupAlbums } from "./group_album/albums.ts";
import { actions as albumMedia } from "./group_album/media.ts";
import { actions as groupFileListing } from "./group_file/listing.ts";
import { actions as groupFiles } from "./group_file/files.ts";
import { actions as groupFolders } from "./group_file/folders.ts";
import { actions as qzonePosts } from "./qzone/posts.ts";
import { actions as qzoneReactions } from "./qzone/reactions.ts";
import { actions as downloads } from "./stream/downloads.ts";
import { actions as uploads } from "./stream/uploads.ts";
import { actions as groupNotices } from "./extended/group_notices.ts";
import { actions as groupTodos } from "./extended/group_todos.ts";
import { actions as essence } from "./extended/essence.ts";
import { actions as customFaces } from "./extended/custom_faces.ts";
import { actions as flashFiles } from "./extended/flash_files.ts";
import { actions as filesets } from "./extended/filesets.ts";
import { actions as forwards } from "./extended/forwards.ts";
import { actions as singleForwards } from "./extended/single_forwards.ts";
import { actions as history } from "./extended/history.ts";
import { actions as readMarks } from "./extended/read_marks.ts";
import { actions as emojiReactions } from "./extended/emoji_reactions.ts";
import { actions as pokes } from "./extended/pokes.ts";
import { actions as profileLikes } from "./extended/profile_likes.ts";
import { actions as aiVoices } from "./extended/ai_voices.ts";
import { actions as credentials } from "./extended/credentials.ts";
import { actions as process } from "./extended/process.ts";
import { actions as collections } from "./extended/collections.ts";
import { actions as doubtfulFriends } from "./extended/doubtful_friends.ts";
import { actions as friendLists } from "./extended/friend_lists.ts";
import { actions as groupDetails } from "./extended/group_details.ts";
import { actions as groupRequests } from "./extended/group_requests.ts";
import { actions as groupSign } from "./extended/group_sign.ts";
import { actions as groupSettings } from "./extended/group_settings.ts";
import { actions as groupStorage } from "./extended/group_storage.ts";
import { actions as media } from "./extended/media.ts";
import { actions as arkCards } from "./extended/ark_cards.ts";
import { actions as onlineStatus } from "./extended/online_status.ts";
import { actions as profile } from "./extended/profile.ts";
import { actions as deviceModel } from "./extended/device_model.ts";
import { actions as language } from "./extended/language.ts";
import { actions as keyboard } from "./extended/keyboard.ts";

export const ACTIONS: readonly ActionSpec[] = [
  ...message,
  ...info,
  ...friend,
  ...request,
  ...groupInfo,
  ...groupMembers,
  ...groupProfile,
  ...groupState,
  ...groupAlbums,
  ...albumMedia,
  ...groupFileListing,
  ...groupFiles,
  ...groupFolders,
  ...qzonePosts,
  ...qzoneReactions,
  ...downloads,
  ...uploads,
  ...groupNotices,
  ...groupTodos,
  ...essence,
  ...customFaces,
  ...flashFiles,
  ...filesets,
  ...forwards,
  ...singleForwards,
  ...history,
  ...readMarks,
  ...emojiReactions,
  ...pokes,
  ...profileLikes,
  ...aiVoices,
  ...credentials,
  ...process,
  ...collections,
  ...doubtfulFriends,
  ...friendLists,
  ...groupDetails,
  ...groupRequests,
  ...groupSign,
  ...groupSettings,
  ...groupStorage,
  ...media,
  ...arkCards,
  ...onlineStatus,
  ...profile,
  ...deviceModel,
  ...language,
  ...keyboard,
];
