import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";

/** Id of the extension for durable tasks (2026-07-28). */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Id of the extension for panels (MCP Apps), and the type of document that a client has to be able to show. */
export const PANEL_EXTENSION = "io.modelcontextprotocol/ui";
export const PANEL_TYPE = "text/html;profile=mcp-app";

/** The parts of a client's capabilities that are looked at. */
interface Capabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object };
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The client at the other end of one request. */
export class Peer {
  /**
   * @param server The instance that serves the connection.
   * @param isModern Whether it speaks 2026-07-28, in which every request says what its client can do.
   * @param request The request at hand.
   */
  constructor(readonly server: Server, readonly isModern: boolean, readonly request: ServerContext["mcpReq"]) {}

  /** Whether it can show a form; one that names no kind of elicitation means forms. */
  get hasForms(): boolean {
    const { elicitation } = this.#capabilities;
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }

  /** Whether it knows tasks, which older generations have in another way. */
  get hasTasks(): boolean {
    return this.isModern && this.#capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
  }

  /** Whether it shows panels of the type that there is. */
  get hasPanels(): boolean {
    const told = this.#capabilities.extensions?.[PANEL_EXTENSION] as
      | { readonly mimeTypes?: unknown }
      | null
      | undefined;
    return Array.isArray(told?.mimeTypes) && told.mimeTypes.includes(PANEL_TYPE);
  }

  /** Whether the request continues an earlier one (multi round-trip requests). */
  get resumes(): boolean {
    return this.request.requestState() !== undefined || this.request.inputResponses !== undefined;
  }

  get #capabilities(): Capabilities {
    const envelope = this.request.envelope as Readonly<Record<string, unknown>> | undefined;
    const told = this.isModern ? envelope?.[CLIENT_CAPABILITIES_META_KEY] : this.server.getClientCapabilities();
    return (told ?? {}) as Capabilities;
  }
}
