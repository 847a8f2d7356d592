/** Group notices. */
import { ActionFailure, invalid } from "../failure.ts";
import type { Params } from "../params.ts";
import { sourceDetails } from "../sent_files.ts";
import type { Handlers } from "./handler.ts";

/** A notice for everybody, and one that new members are shown. */
const REGULAR = 1;
const FOR_NEW_MEMBERS = 20;

/** Regular notices are reported with the type of the web side. */
const REPORTED_REGULAR = 6;

/** Notices on the first page, the only one there is. */
const PAGE = 20;

export const notices: Handlers = {
  _send_group_notice: (params, world) => {
    const type = noticeType(params);
    const group = world.administered(params.int("group_id"));
    if (params.has("image")) sourceDetails(params.text("image"), world);
    const id = world.newId("notice");
    group.notices.set(id, {
      id,
      senderId: world.account.userId,
      time: world.now(),
      text: params.text("content"),
      type: type === REGULAR ? REPORTED_REGULAR : type,
      pinned: params.int("pinned"),
    });
    return null;
  },
  _get_group_notice: (params, world) =>
    world.group(params.int("group_id")).notices.newestFirst().slice(0, PAGE).map((notice) => ({
      notice_id: notice.id,
      sender_id: notice.senderId,
      publish_time: notice.time,
      message: { text: notice.text, image: [], images: [] },
      settings: null,
      read_num: 0,
      type: notice.type,
      pinned: notice.pinned,
      send_to_new_members: notice.type === FOR_NEW_MEMBERS,
    })),
  _del_group_notice: (params, world) => {
    const id = params.firstText("fid", "notice_id");
    if (id === "") throw invalid("notice_id", "is required");
    const group = world.administered(params.int("group_id"));
    if (!group.notices.delete(id)) throw new ActionFailure(`notice ${id} not found`);
    return null;
  },
};

function noticeType(params: Params): number {
  const type = params.optionalInt("type");
  if (type !== undefined && type !== REGULAR && type !== FOR_NEW_MEMBERS) {
    throw invalid("type", `must be ${REGULAR} or ${FOR_NEW_MEMBERS}`);
  }
  if (params.raw("send_to_new_members") === undefined) return type ?? REGULAR;
  const wanted = params.flag("send_to_new_members") ? FOR_NEW_MEMBERS : REGULAR;
  if (type !== undefined && type !== wanted) throw invalid("type", "contradicts send_to_new_members");
  return wanted;
}
