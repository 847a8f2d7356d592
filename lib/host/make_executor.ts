/** Puts an executor together from a configuration. */
import { loadActions } from "../catalog/load.ts";
import type { Config } from "../config/resolve.ts";
import { Executor } from "../executor.ts";
import { openStream, post } from "../onebot/http_client.ts";
import type { Redactor } from "../redact.ts";
import { openDownloads, openUpload } from "./folders.ts";

/** An executor for the configured bot. Needs `--allow-net` for its endpoint once it is used. */
export async function makeExecutor(config: Config, redactor: Redactor): Promise<Executor> {
  const { endpoint = "", token, timeoutMs, mode, allow } = config; // without an endpoint, the gate lets nothing through
  const target = { url: endpoint, timeoutMs, ...(token !== undefined && { token }) };
  let folder: ReturnType<typeof openDownloads> | undefined;
  return new Executor({
    actions: await loadActions(),
    permissions: { mode, allow: new Set(allow) },
    redactor,
    timeoutMs,
    post: (body, signal, headers) => post(target, body, signal, headers),
    streams: {
      open: (body, signal, headers) => openStream(target, body, signal, headers),
      downloads: () =>
        folder ??= openDownloads(config).catch((error) => {
          folder = undefined; // the operator may mend it
          throw error;
        }),
      inputFile: (path) => openUpload(config, path),
      maxFileBytes: config.maxStreamBytes,
    },
  });
}
