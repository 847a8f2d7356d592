/** For each line, puts links, hard links, and between them files in the place given, as fast as it can. */
import { answerLines } from "./support.ts";

const [place = "", secret = ""] = Deno.args;
const SWAPS = 1_000;
const next = `${place}.next`;

await answerLines(() => {
  for (let swaps = 0; swaps < SWAPS; swaps++) {
    if (swaps % 4 === 0) Deno.symlinkSync(secret, next);
    else if (swaps % 4 === 2) Deno.linkSync(secret, next);
    else Deno.writeTextFileSync(next, "public");
    Deno.renameSync(next, place);
  }
  return Promise.resolve(SWAPS);
});
