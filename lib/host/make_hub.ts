/** Puts the event hub together from a configuration. */
import type { Config } from "../config/resolve.ts";
import { EventHub } from "../events/hub.ts";
import { openEventSocket } from "../events/socket.ts";
import type { Log } from "../log.ts";
import type { Redactor } from "../redact.ts";

/** A hub for the configured address. Needs `--allow-net` for it once somebody subscribes, and the environment of `ws`. */
export function makeHub(config: Config, redactor: Redactor, log: Log): EventHub {
  const { eventsUrl = "", eventsToken, timeoutMs } = config; // without an address there is no hub
  const address = {
    url: eventsUrl,
    connectTimeoutMs: timeoutMs,
    ...(eventsToken !== undefined && { token: eventsToken }),
  };
  return new EventHub({
    connect: (handlers, signal) => openEventSocket(address, handlers, signal),
    redactor,
    log,
  });
}
