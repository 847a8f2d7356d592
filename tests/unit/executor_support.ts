/** An executor over the real catalog with a handed-in way to post, and what it posted. */
import { Executor } from "../../lib/executor.ts";
import { ExchangeError, type ExchangeFault, type HttpAnswer } from "../../lib/onebot/exchange.ts";
import type { Mode } from "../../lib/policy/gate.ts";
import { Redactor } from "../../lib/redact.ts";
import { realCatalog } from "./support.ts";

/** How an executor is set up; write mode and an ok answer unless told otherwise. */
export interface ExecutorSetup {
  readonly mode?: Mode;
  readonly allow?: readonly string[];
  readonly secrets?: readonly string[];
  readonly timeoutMs?: number;
  readonly post?: (signal: AbortSignal) => Promise<HttpAnswer>;
}

/** An executor and the bodies it posted, as text. */
export interface RecordedExecutor {
  readonly executor: Executor;
  readonly posted: string[];
}

/** A signal that never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;

export async function makeExecutor(
  {
    mode = "write",
    allow = [],
    secrets = [],
    timeoutMs = 60_000,
    post = () => answer({ status: "ok", retcode: 0, data: null }),
  }: ExecutorSetup = {},
): Promise<RecordedExecutor> {
  const posted: string[] = [];
  const executor = new Executor({
    actions: await realCatalog(),
    permissions: { mode, allow: new Set(allow) },
    redactor: new Redactor(secrets),
    timeoutMs,
    post: (json, signal) => {
      posted.push(new TextDecoder().decode(json));
      return post(signal);
    },
  });
  return { executor, posted };
}

/** An HTTP answer with this envelope, or with this text as it is. */
export function answer(envelope: unknown, status = 200): Promise<HttpAnswer> {
  return Promise.resolve({ status, text: typeof envelope === "string" ? envelope : JSON.stringify(envelope) });
}

/** An exchange that ends without an answer. */
export function fault(kind: ExchangeFault, sent: boolean, detail?: string): Promise<never> {
  return Promise.reject(new ExchangeError(kind, sent, detail));
}
