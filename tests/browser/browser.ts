/** A real browser for the panel's tests: Debian's Chromium, or the program that `CHROMIUM` names. */
import type { Browser } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program; absent where there is none. */
export const BROWSER: string | undefined = find();

function find(): string | undefined {
  const named = Deno.env.get("CHROMIUM");
  return (named ? [named] : PLACES).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

let running: Promise<Browser> | undefined;

/** The browser of this test process, started by the first test that needs it. It ends with the process. */
export function startBrowser(): Promise<Browser> {
  return running ??= launch();
}

async function launch(): Promise<Browser> {
  Deno.env.set("__IS_WSL_TEST__", "1"); // else it looks, at its import, where Deno lets only `--allow-all` look
  const { chromium } = await import("playwright-core");
  return await chromium.launch({
    executablePath: BROWSER ?? "chromium",
    args: [
      "--no-sandbox", // the tests may run as root; the page is ours and reaches nothing but loopback
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** A test that needs a browser; without one it is named as ignored. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: BROWSER === undefined, fn });
}
