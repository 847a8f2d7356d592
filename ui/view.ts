/** Draws the panel. Texts are set as text, never read as markup. */
/// <reference lib="dom" />
import type { Shown } from "./panel.ts";

/** The button that sends. Nothing happens by it while it is `aria-disabled`; it stays focusable, so that its reason is read. */
export const sendButton: HTMLElement = element("send");

/** Says, for styles, whether the end of the text is out of sight: nobody is to send what they have not seen. */
new IntersectionObserver(([end]) => element("draft").toggleAttribute("data-more", end?.isIntersecting === false), {
  root: element("message"),
}).observe(element("end"));

/** Puts everything into the page. Drawing the same again changes nothing. */
export function draw({ language, state, title, note, draft, status }: Shown): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.title = title;
  element("panel").dataset.state = state;
  setText("title", title);
  setText("note", note);
  element("draft").hidden = draft === undefined;
  setText("chat", draft?.chat);
  setText("quote", draft?.quote);
  element("message").setAttribute("aria-label", draft?.label ?? "");
  setText("text", draft?.text);
  setText("more", draft?.more);
  setText("counts", draft?.counts);
  setText("hidden", draft?.hidden);
  setText("effect", draft?.effect);
  setText("blocked", draft?.blocked);
  setText("send", draft?.send);
  sendButton.setAttribute("aria-disabled", String(state !== "ready"));
  setText("status", status);
}

/** A text that is not there leaves no empty place; one that stays is not told again to those who listen. */
function setText(id: string, text = ""): void {
  const place = element(id);
  if (place.textContent !== text) place.textContent = text;
  if (id !== "status") place.hidden = text === ""; // a live region has to be there before its first text
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`Cannot draw: the page has no element ${id}`);
  return found;
}
