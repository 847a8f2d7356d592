/** Actions that hand out credentials. What they hand out here is plainly made up and opens nothing. */
import type { Handlers } from "./handler.ts";

/** The value of every credential. */
const FAKE = "simulated";

/** The token of every web request. */
const FAKE_TOKEN = 5381;

/** Lifetime of download keys, in seconds. */
const KEY_TTL = 3_600;

const COOKIES = `uin=o10001; skey=${FAKE}; p_skey=${FAKE}`;

export const secrets: Handlers = {
  get_cookies: () => ({ cookies: COOKIES }),
  get_csrf_token: () => ({ token: FAKE_TOKEN }),
  get_credentials: () => ({ cookies: COOKIES, token: FAKE_TOKEN, csrf_token: FAKE_TOKEN }),
  get_clientkey: () => ({ clientKey: FAKE, expireTime: "1800", keyIndex: "19" }),
  get_rkey: (_params, world) =>
    [10, 20].map((type) => ({ rkey: `&rkey=${FAKE}`, type, ttl: KEY_TTL, create_time: world.now() })),
  get_rkey_server: (_params, world) => ({
    expired_time: world.now() + KEY_TTL,
    name: "SnowLuma",
    private_rkey: `&rkey=${FAKE}`,
    group_rkey: `&rkey=${FAKE}`,
  }),
  request_decrypt_key: () => ({ db_key: FAKE }),
};
