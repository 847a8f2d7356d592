/** What an action is to the simulator. */
import type { Params } from "../params.ts";
import type { World } from "../world.ts";

/** Acts on the world and returns the `data` of the answer; refuses by throwing an ActionFailure. */
export type Handler = (params: Params, world: World) => unknown;

/** Handlers by action name. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Returns the `data` of each frame, the last one included; a refusal may come after any frame. */
export type StreamHandler = (params: Params, world: World) => Iterable<unknown>;
