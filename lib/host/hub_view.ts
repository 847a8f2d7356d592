/** What one server's client has of an event hub that it may share with others. */
import { EventHub, type EventPage, type SubscribeOptions, type Subscription } from "../events/hub.ts";
import { givenUp } from "../events/link.ts";
import type { ReadOptions } from "../events/resource.ts";
import { Redactor } from "../redact.ts";

/** Shows of another hub the resources that were made here, and releases them when it is closed. */
export class HubView extends EventHub {
  readonly #hub: EventHub;
  readonly #own = new Set<string>();
  readonly #ended = new AbortController();
  readonly #leave: () => void;

  constructor(hub: EventHub) {
    super({ connect: () => Promise.reject(givenUp()), redactor: new Redactor([]) }); // has no connection of its own
    this.#hub = hub;
    this.#leave = listen(hub, async (uri) => {
      if (this.#own.has(uri)) await this.onUpdated?.(uri);
    });
  }

  override async subscribe(options: SubscribeOptions, signal: AbortSignal): Promise<Subscription> {
    const made = await this.#hub.subscribe(options, AbortSignal.any([signal, this.#ended.signal]));
    if (this.#ended.signal.aborted) {
      this.#hub.release(made.uri);
      throw givenUp();
    }
    this.#own.add(made.uri);
    return made;
  }

  override uris(): readonly string[] {
    return this.#hub.uris().filter((uri) => this.#own.has(uri));
  }

  override has(uri: string): boolean {
    return this.#own.has(uri) && this.#hub.has(uri);
  }

  override read(uri: string, options: ReadOptions = {}): EventPage {
    return this.#own.has(uri) ? this.#hub.read(uri, options) : super.read(uri, options); // which has none, and says so
  }

  override async wait(
    uri: string,
    options: ReadOptions & { readonly waitMs: number },
    signal: AbortSignal,
  ): Promise<EventPage> {
    return await (this.#own.has(uri) ? this.#hub.wait(uri, options, signal) : super.wait(uri, options, signal));
  }

  override release(uri: string): void {
    if (!this.#own.delete(uri)) super.release(uri);
    else this.#hub.release(uri);
  }

  override close(): void {
    this.#ended.abort();
    for (const uri of this.#own) if (this.#hub.has(uri)) this.#hub.release(uri);
    this.#own.clear();
    this.#leave();
  }
}

type Tell = (uri: string) => Promise<void>;

/** Who listens to each hub by way of a view; the hub itself tells one alone. */
const listeners = new WeakMap<EventHub, Set<Tell>>();

/** Listens to a hub, beside who listened before the first view did. @returns Undoes it. */
function listen(hub: EventHub, tell: Tell): () => void {
  const tells = listeners.get(hub) ?? join(hub);
  tells.add(tell);
  return () => void tells.delete(tell);
}

function join(hub: EventHub): Set<Tell> {
  const tells = new Set<Tell>();
  const { onUpdated: before } = hub;
  hub.onUpdated = async (uri) => {
    await Promise.all([before?.(uri), ...[...tells].map((tell) => tell(uri))]);
  };
  listeners.set(hub, tells);
  return tells;
}
