/** Pictures, voices and videos the bot has seen; actions that read media resolve only these. */
import { BoundedStore } from "./bounded_map.ts";
import type { Source } from "./sources.ts";

/** One of them; `name` is what a received segment calls `file`. */
export interface Media extends Source {
  readonly kind: "image" | "record" | "video";
}

/** Media that are kept; the oldest are forgotten first. */
const MAX_MEDIA = 5_000;

export class MediaCache {
  readonly #byName = new BoundedStore<string, Media>("media source", MAX_MEDIA);

  add(media: Media): Media {
    this.#byName.set(media.name, media);
    return media;
  }

  /** By file name or by URL, if it is one of these kinds. */
  find(key: string, kinds: readonly Media["kind"][]): Media | undefined {
    const media = this.#byName.get(key) ?? [...this.#byName.values()].find((entry) => entry.url === key);
    return media !== undefined && kinds.includes(media.kind) ? media : undefined;
  }
}
