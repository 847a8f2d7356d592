/** Group albums. */
import { ActionFailure } from "../failure.ts";
import type { Params } from "../params.ts";
import { sourceDetails } from "../sent_files.ts";
import { LINK_BASE } from "../sources.ts";
import type { Album, AlbumMedia } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const albums: Handlers = {
  get_group_album_list: (params, world) =>
    world.group(params.int("group_id")).albums.map((album) => ({
      id: album.id,
      name: album.name,
      picNum: album.media.size,
      createTime: album.createdAt,
      last_upload_time: lastUpload(album),
      cover: cover(album),
      createuin: String(album.creatorId),
      createnickname: world.nicknameOf(album.creatorId),
    })),
  get_qun_album_list: (params, world) => ({
    album_list: world.group(params.int("group_id")).albums.map((album) => ({
      album_id: album.id,
      name: album.name,
      create_time: String(album.createdAt),
      last_upload_time: String(lastUpload(album)),
      upload_number: String(album.media.size),
      cover: cover(album),
      creator: {
        uin: String(album.creatorId),
        uid: `u_simulated_${album.creatorId}`,
        nick: world.nicknameOf(album.creatorId),
      },
    })),
    attach_info: "",
    has_more: false,
  }),
  get_group_album_media_list: (params, world) => ({
    mediaList: [...findAlbum(params, world).media.values()].map((media) => ({
      type: 0,
      image: picture(media),
      video: null,
      uploader: String(media.uploaderId),
      batchId: media.batchId,
      uploadTime: String(media.time),
    })),
    nextAttachInfo: "",
  }),
  upload_image_to_qun_album: (params, world) => {
    const album = findAlbum(params, world);
    const { name } = sourceDetails(params.text("file"), world);
    const id = world.newId("album-media");
    album.media.set(id, {
      batchId: String(Number.parseInt(id.slice(0, 8), 16)),
      lloc: id,
      name,
      uploaderId: world.account.userId,
      time: world.now(),
    });
    return null;
  },
  del_group_album_media: (params, world) => {
    const album = findAlbum(params, world);
    const media = byLloc(album, params.text("lloc"));
    if (media.uploaderId !== world.account.userId) world.administered(params.int("group_id"));
    album.media.delete(media.lloc);
    return { success: true };
  },
  set_group_album_media_like: (params, world) => like(params, world, true),
  cancel_group_album_media_like: (params, world) => like(params, world, false),
  do_group_album_comment: (params, world) => {
    byLloc(findAlbum(params, world), params.text("lloc"));
    const id = world.newId("album-comment").slice(0, 16);
    return {
      id,
      user: { uin: String(world.account.userId) },
      content: [{ type: 0, content: params.text("content") }],
      time: String(world.now()),
      clientKey: id,
    };
  },
};

function findAlbum(params: Params, world: World): Album {
  const id = params.text("album_id");
  const album = world.group(params.int("group_id")).albums.find((candidate) => candidate.id === id);
  if (album === undefined) throw new ActionFailure(`album ${id} not found`);
  return album;
}

function byLloc(album: Album, lloc: string): AlbumMedia {
  const media = album.media.get(lloc);
  if (media === undefined) throw new ActionFailure(`media ${lloc} not found in album ${album.id}`);
  return media;
}

/** Nothing reads likes back: the answer is all there is. */
function like(params: Params, world: World, liked: boolean): { id: string; status: number } {
  const batchId = params.text("batch_id");
  if (!/^[0-9]+$/.test(batchId)) throw new ActionFailure("batch_id: must be a decimal number");
  const media = [...findAlbum(params, world).media.values()];
  if (!media.some((each) => each.batchId === batchId)) throw new ActionFailure(`batch ${batchId} not found`);
  return { id: batchId, status: liked ? 1 : 0 };
}

function lastUpload(album: Album): number {
  return Math.max(album.createdAt, ...[...album.media.values()].map((media) => media.time));
}

function cover(album: Album): { type: number; image: Record<string, unknown> } | null {
  const [first] = album.media.values();
  return first === undefined ? null : { type: 0, image: picture(first) };
}

function picture(media: AlbumMedia): Record<string, unknown> {
  const url = { url: `${LINK_BASE}/albums/${encodeURIComponent(media.lloc)}`, width: 640, height: 480 };
  return {
    name: media.name,
    sloc: media.lloc,
    lloc: media.lloc,
    photoUrls: [{ spec: 1, url }],
    defaultUrl: url,
    isGif: false,
    hasRaw: false,
  };
}
