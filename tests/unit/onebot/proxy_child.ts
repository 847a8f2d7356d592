/** Posts once to the address given, in a process of its own whose environment a test has chosen. */
import { post } from "../../../lib/onebot/http_client.ts";

const [url = "", token = ""] = Deno.args;
const body = new TextEncoder().encode('{"action":"get_status","params":{}}');
const { status, text } = await post({ url, token, timeoutMs: 20_000 }, body, new AbortController().signal);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({ status, text })));
