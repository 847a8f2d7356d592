/** Pictures, voices and downloads. The simulator has no content to show, so it answers what is known about it. */
import { Buffer } from "node:buffer";
import { ActionFailure, invalid } from "../failure.ts";
import type { Media } from "../media_cache.ts";
import type { Params } from "../params.ts";
import { describeSource } from "../sources.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Where downloads are said to lie on the bot host. */
const DOWNLOADS = "/opt/snowluma/data/downloads";

export const media: Handlers = {
  get_image: (params, world) => describe(find(params, world, ["image"])),
  get_file: (params, world) => describe(find(params, world, ["image", "record"])),
  get_record: (params, world) => {
    const voice = find(params, world, ["record"]);
    if (!params.has("out_format")) return describe(voice);
    const base64 = Buffer.from("simulated voice").toString("base64");
    return { ...describe(voice), out_format: params.text("out_format"), base64 };
  },
  fetch_ptt_text: (params, world) => {
    const id = Number(params.text("message_id"));
    if (!Number.isSafeInteger(id) || id === 0) throw invalid("message_id", "must be a non-zero integer");
    if (!world.messages.get(id).segments.some((segment) => segment.type === "record")) {
      throw new ActionFailure(`message ${id} holds no voice`);
    }
    return { text: "simulated transcript" };
  },
  ocr_image: (params, world) => {
    const image = params.text("image");
    if (!/^https?:\/\//i.test(image) && world.media.find(image, ["image"]) === undefined) {
      throw new ActionFailure("image must be an http(s) URL or a cached image");
    }
    const corners = [[0, 0], [120, 0], [120, 20], [0, 20]].map(([x, y]) => ({ x, y }));
    return { texts: [{ text: "simulated text", confidence: 99, coordinates: corners }], language: "en" };
  },
  download_file: (params) => {
    const source = params.has("base64") ? `base64://${params.text("base64")}` : params.text("url");
    if (source === "") throw invalid("url", "url or base64 is required");
    const { md5 } = describeSource(source);
    const name = params.has("name") ? params.text("name").split(/[\/\\]/).at(-1) ?? "" : md5.toLowerCase();
    if (name === "" || name === "." || name === "..") throw new ActionFailure("name is not usable");
    return { file: `${DOWNLOADS}/${name}` };
  },
  can_send_image: () => ({ yes: true }),
  can_send_record: () => ({ yes: true }),
};

function find(params: Params, world: World, kinds: readonly Media["kind"][]): Media {
  const key = params.firstText("file", "file_id");
  if (key === "") throw invalid("file", "file or file_id is required");
  const found = world.media.find(key, kinds);
  if (found === undefined) throw new ActionFailure(`${key} is not in the cache`);
  return found;
}

function describe({ url, sizeBytes, name }: Media): Record<string, string> {
  return { file: url, url, file_size: String(sizeBytes), file_name: name };
}
