/** Posts in spaces. */
import { ActionFailure, invalid } from "../failure.ts";
import type { Params } from "../params.ts";
import { sourceDetails } from "../sent_files.ts";
import type { QzonePost } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Who may see a post; the last two name the people. */
const RIGHTS = [1, 4, 16, 64, 128];
const RIGHTS_WITH_PEOPLE = [16, 128];

/** Only the owner sees it. */
const PRIVATE_RIGHT = 64;

export const qzone: Handlers = {
  send_qzone_msg: (params, world) => {
    const right = checkRight(params);
    const images = params.texts("images").map((source) => sourceDetails(source, world).url);
    const post: QzonePost = {
      tid: world.newId("post").slice(0, 24),
      ownerId: world.account.userId,
      content: params.text("content"),
      time: world.now(),
      images,
      right,
      commentCount: 0,
    };
    world.posts.set(post.tid, post);
    return { tid: post.tid, time: post.time };
  },
  get_qzone_msg_list: (params, world) => {
    const ownerId = params.optionalInt("target_uin") ?? world.account.userId;
    const posts = world.posts.newestFirst().filter((post) => post.ownerId === ownerId);
    const start = params.int("pos");
    return {
      total: posts.length,
      msglist: posts.slice(start, start + params.int("num")).map((post) => ({
        tid: post.tid,
        content: post.content,
        time: post.time,
        comment_num: post.commentCount,
        is_private: post.right === PRIVATE_RIGHT,
        images: post.images,
      })),
    };
  },
  get_qzone_feeds: (params, world) => {
    const start = (params.int("page_num") - 1) * params.int("count");
    const end = start + params.int("count");
    return {
      feeds: world.posts.newestFirst().slice(start, end).map((post) => ({
        uin: post.ownerId,
        nickname: world.nicknameOf(post.ownerId),
        time: post.time,
        appid: 311,
        key: post.tid,
        html: `<div class="feed">${escapeHtml(post.content)}</div>`,
      })),
      has_more: end < world.posts.size,
    };
  },
  delete_qzone_msg: (params, world) => {
    world.posts.delete(ownPost(params, world).tid);
    return null;
  },
  set_qzone_msg_right: (params, world) => {
    const right = checkRight(params);
    ownPost(params, world).right = right;
    return { ugc_right: right };
  },
  comment_qzone: (params, world) => {
    for (const source of params.texts("images")) sourceDetails(source, world);
    const post = targetPost(params, world);
    post.commentCount += 1;
    return { comment_id: String(post.commentCount) };
  },
  like_qzone: like,
  unlike_qzone: like,
  set_qzone_ban: (params, world) => {
    const userId = params.int("user_id");
    if (!world.people.has(userId)) throw new ActionFailure(`${userId} does not exist`);
    return null;
  },
};

function checkRight(params: Params): number {
  const right = params.int("ugc_right");
  if (!RIGHTS.includes(right)) throw invalid("ugc_right", `must be one of ${RIGHTS.join(", ")}`);
  if (RIGHTS_WITH_PEOPLE.includes(right) && !params.has("target_uins")) {
    throw invalid("target_uins", `is required for ugc_right ${right}`);
  }
  return right;
}

/** Given or taken back: nothing reads likes back, they only need the post. */
function like(params: Params, world: World): null {
  targetPost(params, world);
  return null;
}

function targetPost(params: Params, world: World): QzonePost {
  return find(params, world, params.optionalInt("target_uin") ?? world.account.userId);
}

function ownPost(params: Params, world: World): QzonePost {
  return find(params, world, world.account.userId);
}

function find(params: Params, world: World, ownerId: number): QzonePost {
  const tid = params.text("tid");
  const post = world.posts.get(tid);
  if (post?.ownerId !== ownerId) throw new ActionFailure(`post ${tid} not found in the space of ${ownerId}`);
  return post;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
