/**
 * This process's user, or `null` where there are none. Asking for it needs `--allow-sys`; a new file tells it too, and
 * that one can be made.
 *
 * @param path Of the file, which must not exist. Should we end before it is removed, it is left over.
 */
export async function ownUid(path: string): Promise<number | null> {
  using file = await Deno.open(path, { read: true, write: true, createNew: true, mode: 0o600 });
  try {
    return (await file.stat()).uid;
  } finally {
    await Deno.remove(path).catch(() => {}); // a starting process may have been faster
  }
}
