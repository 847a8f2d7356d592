/** A panel in a browser, as a client shows it: the real server behind it, the simulated bot behind that. */
import { join } from "@std/path";
import type { BrowserContextOptions, Frame, FrameLocator, Page } from "playwright-core";
import { type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { bundle } from "../../ui/build.ts";
import { modernClient, type TestClient } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { startBrowser } from "./browser.ts";

/** The address of the panel's resource. */
export const PANEL_URI = "ui://snowluma/message-preview.html";

/** What clients put around panels that name no origin. The panel's own policy, by hashes, holds in any case. */
const POLICIES = {
  own: undefined,
  inline: "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
} as const;

/** A draft that most tests show. */
export const HELLO: Message = { message_type: "group", target_id: 20001, text: "Hello" };

/** How a panel is opened. */
export interface PanelOptions {
  /** `write` unless given. */
  readonly mode?: "docs" | "read" | "write";
  /** Arguments of `preview_message`; {@link HELLO} unless given, none with `null`. */
  readonly draft?: Message | null;
  readonly policy?: keyof typeof POLICIES;
  /** Instead of calling tools and taking context for the model. */
  readonly capabilities?: Message;
  readonly context?: Message;
  /** Of the browser: size, color scheme, contrast … */
  readonly browser?: BrowserContextOptions;
  /** Answers the panel's calls instead of the server; gets the way to the server. */
  readonly onCall?: (params: Message, pass: () => Promise<Message>) => Promise<Message>;
  /** The client refuses what the panel would have told to the model. */
  readonly refusesContext?: boolean;
  /** Time in the browser can be moved on, by `page.clock`. */
  readonly clock?: boolean;
  /** Settings of the server beside mode and endpoint. */
  readonly args?: readonly string[];
}

let hostScript: Promise<string> | undefined;

/** An open panel. */
export class OpenPanel implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #origin: string;
  /** The calls that came from the panel. */
  readonly calls: Message[] = [];
  /** What the panel had told to the model. */
  readonly modelContexts: Message[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];
  /** What the console, and uncaught errors, said: broken policies among it. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    readonly client: TestClient,
    readonly bot: Simulator,
    origin: string,
    stack: AsyncDisposableStack,
  ) {
    this.#origin = origin;
    this.#stack = stack;
  }

  /** What is in the frame. */
  get panel(): FrameLocator {
    return this.page.frameLocator("iframe");
  }

  /** The frame itself, to run something in it. */
  get frame(): Frame {
    const frame = this.page.frames().find((frame) => frame.parentFrame() !== null);
    if (frame === undefined) throw new Error("there is no frame");
    return frame;
  }

  /** Opens a panel and gives it its draft. */
  static async open(options: PanelOptions = {}): Promise<OpenPanel> {
    const { mode = "write", policy = "inline", draft = HELLO, args = [] } = options;
    const opened = await OpenPanel.#prepare(["--mode", mode, ...args], options);
    await opened.page.goto(opened.#origin);
    await opened.#connect(policy, options);
    if (draft !== null) await opened.give(await opened.client.callTool("preview_message", draft));
    return opened;
  }

  /**
   * Opens the panel where nobody answers it.
   *
   * @param place In a frame, or as a page of its own.
   */
  static async alone(place: "frame" | "page", options: PanelOptions = {}): Promise<OpenPanel> {
    const opened = await OpenPanel.#prepare([], options);
    const { policy = "inline" } = options;
    await opened.page.goto(place === "page" ? `${opened.#origin}panel?${policy}` : opened.#origin);
    if (place === "frame") await opened.#host("frame", `/panel?${policy}`);
    return opened;
  }

  static async #prepare(args: readonly string[], options: PanelOptions): Promise<OpenPanel> {
    await using stack = new AsyncDisposableStack();
    const bot = stack.use(await startSimulator());
    const client = stack.use(await modernClient({ args: ["--endpoint", bot.url, ...args] }));
    const { contents: [{ text: html }] } = await client.readResource(PANEL_URI);
    const script = await (hostScript ??= bundle(new URL("./host_page.ts", import.meta.url)));
    const origin = serve(stack, html, script);
    const browser = await startBrowser();
    const context = await browser.newContext({ viewport: { width: 480, height: 640 }, ...options.browser });
    stack.defer(() => context.close());
    const opened = new OpenPanel(await context.newPage(), client, bot, origin, stack.move());
    if (options.clock) await opened.page.clock.install();
    await opened.#listen(options);
    return opened;
  }

  async #listen({ onCall, refusesContext }: PanelOptions): Promise<void> {
    const { page } = this;
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("console", (message) => this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("dialog", (dialog) => {
      this.complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.exposeFunction("hostCallTool", async (text: string) => {
      const params: Message = JSON.parse(text);
      this.calls.push(params);
      const pass = () => this.client.callTool(params.name, params.arguments);
      try {
        return JSON.stringify({ result: await (onCall ? onCall(params, pass) : pass()) });
      } catch (error) {
        const { message, code = -32603 } = error as Error & { code?: number };
        return JSON.stringify({ error: { message, code } });
      }
    });
    await page.exposeFunction("hostModelContext", (text: string) => {
      this.modelContexts.push(JSON.parse(text));
      if (refusesContext) throw new Error("the client takes no context now");
    });
  }

  async #connect(policy: string, options: PanelOptions): Promise<void> {
    const { capabilities = { serverTools: {}, updateModelContext: { text: {} } }, context = { locale: "en" } } =
      options;
    await this.#host("open", `/panel?${policy}`, capabilities, context);
  }

  /** Loads the panel anew in its frame, as a client may do that draws itself again. */
  async reload(options: PanelOptions = {}): Promise<void> {
    await this.#connect(options.policy ?? "inline", options);
  }

  /** Hands a tool's answer on to the panel. */
  async give(result: Message): Promise<void> {
    await this.#host("give", result);
  }

  /** Tells the panel of another context. */
  async change(context: Message): Promise<void> {
    await this.#host("change", context);
  }

  /** Tells the panel that the call was cancelled. */
  async cancel(): Promise<void> {
    await this.#host("cancel");
  }

  /** Asks the panel to end. */
  async teardown(): Promise<void> {
    await this.#host("teardown");
  }

  /** Calls a method of `host_page.ts`. */
  async #host(method: string, ...args: readonly unknown[]): Promise<void> {
    await this.page.evaluate(
      `panelHost.${method}(${args.map((arg) => JSON.stringify(arg)).join(", ")}).then(() => {})`,
    );
  }

  /** Waits until the panel is in this state. */
  async reaches(state: string, timeout = 10_000): Promise<void> {
    await this.panel.locator(`#panel[data-state="${state}"]`).waitFor({ timeout });
  }

  /** The send button. */
  get button() {
    return this.panel.locator("#send");
  }

  /** What an element of the panel says. */
  async text(id: string): Promise<string> {
    return await this.panel.locator(`#${id}`).textContent() ?? "";
  }

  /** What the server drafts of this. */
  async draft(draft: Message = HELLO): Promise<Message> {
    return await this.client.callTool("preview_message", draft);
  }

  /** How often the bot was asked to send something. */
  get sends(): number {
    return this.bot.requests.filter(({ action }) => action?.startsWith("send_")).length;
  }

  /** Keeps a picture of the panel for people, outside of version control. */
  async picture(name: string): Promise<Uint8Array> {
    await Deno.mkdir(PICTURES, { recursive: true });
    return await this.page.locator("iframe").screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const PICTURES = new URL("../../dist/screenshots/", import.meta.url).pathname;

/** Serves the client's page, and the panel under each policy, on loopback. Gives the origin with a slash. */
function serve(stack: AsyncDisposableStack, panel: string, script: string): string {
  const html = { "content-type": "text/html; charset=utf-8" };
  const page =
    "<!doctype html><html lang=en><title>client</title><style>body{margin:0}iframe{border:0;width:100%}</style>" +
    "<body><script src=/host.js></script>";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname, search } = new URL(url);
    if (pathname === "/host.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    if (pathname !== "/panel") return new Response(page, { headers: html });
    const policy = POLICIES[search.slice(1) as keyof typeof POLICIES];
    return new Response(panel, { headers: { ...html, ...(policy && { "content-security-policy": policy }) } });
  });
  stack.defer(() => server.shutdown());
  return `http://127.0.0.1:${server.addr.port}/`;
}
