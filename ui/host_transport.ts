/** Messages of the client around the panel, and of nobody else. */
/// <reference lib="dom" />
import { PostMessageTransport } from "@modelcontextprotocol/ext-apps";
import { fields } from "./draft.ts";
import { STYLE_VARIABLES } from "./host_context.ts";

/** The Apps client refuses a whole context, and so the handshake, for one style variable that it does not know. */
export class HostTransport extends PostMessageTransport {
  /** To and from the window around this one. */
  constructor() {
    super(parent, parent);
  }

  override async start(): Promise<void> {
    const take = this.onmessage;
    this.onmessage = (message, extra) => {
      const { params, result } = fields(message);
      for (const context of [params, fields(result).hostContext]) dropUnknownVariables(context);
      take?.(message, extra);
    };
    await super.start();
  }
}

function dropUnknownVariables(context: unknown): void {
  const variables = fields(fields(fields(context).styles).variables) as Record<string, unknown>;
  for (const name of Object.keys(variables)) {
    if (!STYLE_VARIABLES.some((known) => known === name)) delete variables[name];
  }
}
