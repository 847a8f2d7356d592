/**
 * The message preview panel: shows the draft that `preview_message` made and, on a click, lets the client call
 * `invoke_action` with it. It speaks to the client around it alone (MCP Apps, 2026-01-26), and opens no connection.
 */
/// <reference lib="dom" />
import { App, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { Draft } from "./draft.ts";
import { followHost } from "./host_context.ts";
import { HostTransport } from "./host_transport.ts";
import type { Outcome } from "./outcome.ts";
import { markSent, wasSent } from "./memory.ts";
import { Panel, type Shown } from "./panel.ts";
import { languageOf } from "./texts.ts";
import { draw, sendButton } from "./view.ts";

/** A client that has not answered by then is told as absent, in milliseconds; it may still come. */
const HANDSHAKE_HINT_MS = 5000;
/** A draft has to have been there this long before a click counts, in milliseconds: it may have come up under a finger. */
const ARM_MS = 500;
/** Longest wait for the answer to a send, in milliseconds; the server gives up far earlier. */
const SEND_TIMEOUT_MS = 600_000;

const app = new App({ name: "snowluma-message-preview", version: "1" });
const panel = new Panel(languageOf(navigator.language), show, { wasSent, markSent });
let arming: ReturnType<typeof setTimeout> | undefined;

app.addEventListener("toolresult", (result) => panel.take(result));
app.addEventListener("toolcancelled", () => panel.giveUp("cancelled"));
app.addEventListener("hostcontextchanged", follow);
app.onteardown = () => ({}); // nothing to keep: a client may take the panel away at any time, even while it sends
sendButton.addEventListener("click", ({ isTrusted }) => {
  if (isTrusted) void panel.send(invoke).then(tellModel); // a person's click, not a script's
});

connect().catch(() => panel.giveUp("noHost"));

function show(shown: Shown): void {
  draw(shown);
  if (shown.state === "arming") arming ??= setTimeout(() => panel.arm(), ARM_MS);
}

async function connect(): Promise<void> {
  const absent = setTimeout(() => panel.giveUp("noHost"), parent === self ? 0 : HANDSHAKE_HINT_MS);
  if (parent === self) return;
  await app.connect(new HostTransport(), { timeout: SEND_TIMEOUT_MS });
  clearTimeout(absent);
  follow(app.getHostContext() ?? {});
  panel.canCall = app.getHostCapabilities()?.serverTools !== undefined;
}

function follow(context: McpUiHostContext): void {
  followHost(context);
  if (context.locale !== undefined) panel.language = languageOf(context.locale);
}

async function invoke({ sends }: Draft): Promise<Awaited<ReturnType<App["callServerTool"]>>> {
  return await app.callServerTool({ name: "invoke_action", arguments: { ...sends } }, { timeout: SEND_TIMEOUT_MS });
}

/** The model has not seen the send: without being told it might send the draft once more. */
async function tellModel(outcome: Outcome | undefined): Promise<void> {
  if (outcome === undefined || app.getHostCapabilities()?.updateModelContext === undefined) return;
  const { outcome: word } = outcome;
  const next = word === "failed" ? "" : " Do not send it again.";
  const text = `A person sent this draft from the preview panel; outcome: ${word}.${next}`;
  await app.updateModelContext({ content: [{ type: "text", text }] }).catch(() => {}); // it has no effect on the send
}
