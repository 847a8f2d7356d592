/** Prints the first text that a bot at the given address sends; `socket_tls_test.ts` runs it with little permission. */
import { openEventSocket } from "../../../lib/events/socket.ts";

const [url = ""] = Deno.args;
const first = Promise.withResolvers<string>();
const handlers = { onText: first.resolve, onEnd: ({ message }: { message: string }) => first.reject(message) };
const socket = await openEventSocket({ url, connectTimeoutMs: 10_000 }, handlers, new AbortController().signal);
await Deno.stdout.write(new TextEncoder().encode(await first.promise));
socket.close();
