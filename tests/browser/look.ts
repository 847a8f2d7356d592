/** How elements of a panel look, as the browser computed it. */
import type { OpenPanel } from "./panel.ts";

/** A computed property of the first element that fits the selector. */
export async function computed({ frame }: OpenPanel, selector: string, property: string): Promise<string> {
  return await frame.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue("${property}")`,
  );
}

/** A computed length in CSS pixels. */
export async function pixels(opened: OpenPanel, selector: string, property: string): Promise<number> {
  return parseFloat(await computed(opened, selector, property));
}

/** Elements whose content is wider than they are; people would have to scroll sideways. */
export async function tooWide({ frame }: OpenPanel): Promise<string[]> {
  return await frame.evaluate(`[...document.querySelectorAll("html, body, body *")]
    .filter(({ scrollWidth, clientWidth, offsetWidth }) => offsetWidth > 0 && scrollWidth > clientWidth)
    .map(({ tagName, id }) => tagName + "#" + id)`);
}

/** Contrast of two computed colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** Relative luminance of `rgb(…)`, 0 for black to 1 for white (WCAG 2.2). */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((digits) => {
    const value = Number(digits) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Waits until an expression holds in the frame, for 10 seconds at most; `waitForFunction` would need what the panel's
 * policy forbids.
 */
export async function until({ frame }: OpenPanel, expression: string): Promise<void> {
  await frame.evaluate(`new Promise((resolve, reject) => {
    const end = performance.now() + 10_000;
    const look = () => {
      if (${expression}) resolve();
      else if (performance.now() > end) reject(new Error(${JSON.stringify(`not within 10 s: ${expression}`)}));
      else setTimeout(look, 20);
    };
    look();
  })`);
}
