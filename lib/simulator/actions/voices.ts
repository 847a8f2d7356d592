/** Artificial voices in groups. */
import { groupChat } from "../chat.ts";
import { ActionFailure } from "../failure.ts";
import type { Params } from "../params.ts";
import { post } from "../post.ts";
import { describeSource, LINK_BASE } from "../sources.ts";
import type { Media } from "../media_cache.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Voices by chat type: 1 speaks, 2 sings. */
const CHARACTERS: Readonly<Record<number, readonly { id: string; name: string }[]>> = {
  1: [{ id: "simulated-voice-1", name: "Calm" }, { id: "simulated-voice-2", name: "Bright" }],
  2: [{ id: "simulated-voice-3", name: "Choir" }],
};

export const voices: Handlers = {
  get_ai_characters: (params, world) => {
    world.group(params.int("group_id"));
    const characters = CHARACTERS[params.int("chat_type")];
    if (characters === undefined) return [];
    return [{
      type: "Recommended",
      characters: characters.map(({ id, name }) => ({
        character_id: id,
        character_name: name,
        preview_url: `${LINK_BASE}/voices/${id}`,
      })),
    }];
  },
  get_ai_record: (params, world) => synthesize(params, world).url,
  send_group_ai_record: (params, world) => {
    const chat = groupChat(params.int("group_id"));
    world.requireVoice(chat);
    const { name, url } = synthesize(params, world);
    return { message_id: post(world, chat, world.account.userId, [[{ type: "record", data: { file: name, url } }]]) };
  },
};

function synthesize(params: Params, world: World): Media {
  world.group(params.int("group_id"));
  const character = params.text("character");
  if (!Object.values(CHARACTERS).flat().some(({ id }) => id === character)) {
    throw new ActionFailure(`no voice has the id ${character}`);
  }
  const source = describeSource(`voice/${character}/${params.text("text")}`);
  return world.media.add({ ...source, kind: "record", name: `${source.md5}.amr` });
}
