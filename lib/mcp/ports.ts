import type { Config } from "../config/resolve.ts";
import type { EventHub } from "../events/hub.ts";
import type { Executor } from "../executor.ts";
import type { Log } from "../log.ts";
import type { TaskRunner } from "../tasks/runner.ts";
import type { Asking } from "./ask.ts";

/** What a server instance works with. The instances of one process share all of it. */
export interface ServerPorts {
  readonly config: Config;
  readonly log: Log;
  /** Gives the executor, made on first use. */
  readonly executor: () => Promise<Executor>;
  /** Gives what asking a person takes, made on first use. */
  readonly asking: () => Promise<Asking>;
  /** Absent when no event address is set. */
  readonly events?: EventsPort;
  /** Gives the tasks, opened on first use; absent when no task folder is set. @throws {Failure} */
  readonly tasks?: () => Promise<TaskRunner>;
}

/** The hub of a process. */
export interface EventsPort {
  /** Gives the hub, made on first use. */
  readonly hub: () => Promise<EventHub>;
  /** The hub, if it has been made. */
  readonly current: () => EventHub | undefined;
  /** Says by what changes are announced from now on. */
  readonly announceWith: (announce: (uri: string) => Promise<void>) => void;
  /** Whether the client reads so little that an announcement would only wait. */
  readonly congested: () => boolean;
}
