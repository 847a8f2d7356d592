import { strictEqual } from "node:assert/strict";
import { undoUnheard } from "../../../lib/mcp/unheard.ts";
import { verifies } from "../../requirements.ts";

Deno.test("undoUnheard() undoes at once what a cancelled call has begun, and later what one that is cancelled has", () => {
  verifies("cancel");
  let undone = 0;
  const undo = (): void => void undone++;
  undoUnheard(AbortSignal.abort(), undo);
  strictEqual(undone, 1);
  const call = new AbortController();
  undoUnheard(call.signal, undo);
  undoUnheard(new AbortController().signal, undo);
  strictEqual(undone, 1);
  call.abort();
  call.abort();
  call.signal.dispatchEvent(new Event("abort"));
  strictEqual(undone, 2);
});
