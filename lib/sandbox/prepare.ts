/** What is taken away from the process before anything else happens: ways around its grants, and in docs mode those, too. */
import { PROXY_VARIABLES } from "../config/needs.ts";
import { UsageError } from "../errors.ts";

/** Every kind of grant that can be given up as a whole. */
const KINDS = ["read", "write", "net", "env", "run", "sys", "ffi", "import"] as const;

/** Gives up the hosts of code that Deno imports from unless told otherwise, past every grant for the network. */
export async function forgetRegistries(): Promise<void> {
  await Deno.permissions.revoke({ name: "import" });
}

/**
 * Removes the variables that would lead the runtime's own clients to a proxy, with the token and past the grants for
 * the network. They are the process's own, so whoever starts a worker does this before it.
 *
 * @throws {UsageError} that names the grant to add: only who may touch them can be sure that they are gone.
 */
export async function forgetProxies(): Promise<void> {
  const untouchable: string[] = [];
  for (const variable of PROXY_VARIABLES) {
    const { state } = await Deno.permissions.query({ name: "env", variable });
    if (state === "granted") Deno.env.delete(variable);
    else untouchable.push(variable);
  }
  if (untouchable.length === 0) return;
  throw new UsageError(
    `Proxy variables may not be removed, which could lead a token astray: add --allow-env=${untouchable.join(",")}`,
  );
}

/** Gives up every grant. Modules that are imported by name can still be loaded. */
export async function dropGrants(): Promise<void> {
  for (const name of KINDS) await Deno.permissions.revoke({ name });
}
