/**
 * Why the system refused a file, in a few words.
 *
 * @returns The system's code, such as `ENOSPC`, and its own words; never the path, which the message has already.
 */
export function systemReason(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) return "the permission is missing";
  const { code, message } = error as Error & { readonly code?: string };
  const words = message.split(/ \(os error|[:\n]/, 1)[0];
  return code === undefined ? `${words}` : `${words} (${code})`;
}

/** A value that a caller gave, quoted; a long one is cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
