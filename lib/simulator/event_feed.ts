/** Events over one WebSocket: greeting, heartbeat, whatever happens, and what a client gets that reads too slowly. */
import { WebSocket } from "ws";
import type { BotEvent, World } from "./world.ts";

/** While more than this is queued for a client, in bytes, its events are dropped … */
const CHOKED_BYTES = 262_144;

/** … until less than this is queued. */
const FREE_BYTES = 131_072;

/** Online and well, as `get_status` has it too. */
const STATUS = { online: true, good: true };

/** The events of one client, from the upgrade to the close. */
export class EventFeed {
  readonly #socket: WebSocket;
  readonly #world: World;
  #isChoked = false;

  /** Greets, and beats until the socket closes. @param heartbeatMs Between heartbeats, in milliseconds. */
  constructor(socket: WebSocket, world: World, heartbeatMs: number) {
    this.#socket = socket;
    this.#world = world;
    const beat = (): void => this.#meta("heartbeat", { interval: heartbeatMs });
    this.#meta("lifecycle", { sub_type: "connect" });
    this.#meta("lifecycle", { sub_type: "enable" });
    beat();
    const timer = setInterval(beat, heartbeatMs);
    socket.once("close", () => clearInterval(timer));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Sends an event, or drops it while too much is queued. */
  offer(event: BotEvent): void {
    const { bufferedAmount } = this.#socket;
    if (bufferedAmount > CHOKED_BYTES) this.#isChoked = true;
    else if (bufferedAmount < FREE_BYTES) this.#isChoked = false;
    if (!this.#isChoked) this.#socket.send(JSON.stringify(event));
  }

  /** Sends a frame whatever is queued, and resolves when there is room for the next one or nobody to take it. */
  push(payload: string | Uint8Array, binary: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(payload, { binary }, () => resolve());
      if (this.#socket.bufferedAmount < FREE_BYTES) resolve();
    });
  }

  /** Says that the adapter goes away. */
  disable(): void {
    this.#meta("lifecycle", { sub_type: "disable" });
  }

  #meta(type: "lifecycle" | "heartbeat", fields: BotEvent): void {
    this.offer(this.#world.dated({ post_type: "meta_event", meta_event_type: type, status: STATUS, ...fields }));
  }
}
