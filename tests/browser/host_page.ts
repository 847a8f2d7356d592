/** The client's side of a panel, in the browser: the official bridge around one frame. Tests drive it by `panelHost`. */
/// <reference lib="dom" />
import { AppBridge, type McpUiHostContext, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

type Capabilities = ConstructorParameters<typeof AppBridge>[2];
type Result = Parameters<AppBridge["sendToolResult"]>[0];

/** What the test gives the page; everything crosses the border as JSON. */
declare global {
  var hostCallTool: (params: string) => Promise<string>;
  var hostModelContext: (params: string) => Promise<void>;
  var panelHost: PanelHost;
}

class PanelHost {
  /** Sizes that the panel told, in order. */
  readonly sizes: { width?: number | undefined; height?: number | undefined }[] = [];
  #bridge: AppBridge | undefined;

  /** Opens the panel, anew in the same frame where there is one, and waits for its handshake. */
  async open(src: string, capabilities: Capabilities, hostContext: McpUiHostContext): Promise<void> {
    await this.#bridge?.close();
    const frame = await this.frame(src);
    if (frame.contentWindow === null) throw new Error("the frame has no window");
    const bridge = new AppBridge(null, { name: "test host", version: "1" }, capabilities, { hostContext });
    bridge.oncalltool = async (params) => {
      const answer = JSON.parse(await hostCallTool(JSON.stringify(params)));
      if (answer.error === undefined) return answer.result;
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    };
    bridge.onupdatemodelcontext = async (params) => {
      await hostModelContext(JSON.stringify(params));
      return {};
    };
    const { height, width, maxHeight = height, maxWidth = width }: Record<string, number | undefined> = {
      ...hostContext.containerDimensions,
    };
    if (height !== undefined) frame.style.height = `${height}px`;
    if (maxWidth !== undefined) frame.style.width = `${maxWidth}px`;
    bridge.onsizechange = (size) => {
      this.sizes.push(size);
      if (height !== undefined || size.height === undefined) return;
      frame.style.height = `${Math.min(size.height, maxHeight ?? Infinity)}px`;
    };
    const initialized = new Promise<void>((resolve) => bridge.oninitialized = () => resolve());
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    this.#bridge = bridge;
    await initialized;
  }

  /** The frame alone; nobody answers what is in it. */
  frame(src: string): Promise<HTMLIFrameElement> {
    const frame = document.querySelector("iframe") ?? document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = "panel";
    frame.src = src;
    if (!frame.isConnected) document.body.append(frame);
    return Promise.resolve(frame);
  }

  /** Hands on the answer of `preview_message`. */
  async give(result: Result): Promise<void> {
    await this.#bridge?.sendToolResult(result);
  }

  /** Says that the call was cancelled. */
  async cancel(): Promise<void> {
    await this.#bridge?.sendToolCancelled({ reason: "the person stopped it" });
  }

  /** Tells of another theme, language, size … */
  async change(context: McpUiHostContext): Promise<void> {
    await this.#bridge?.sendHostContextChange(context);
  }

  /** Asks the panel to end. */
  async teardown(): Promise<void> {
    await this.#bridge?.teardownResource({});
  }
}

globalThis.panelHost = new PanelHost();
