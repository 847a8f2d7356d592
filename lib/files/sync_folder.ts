/** Makes the names in a folder durable, where that can be asked for. Needs `--allow-read` for the folder. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return; // a directory cannot be opened there
  using folder = await Deno.open(path, { read: true });
  try {
    await folder.sync();
  } catch (error) {
    const { code = "" } = error as { readonly code?: string };
    if (!["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error; // some file systems know no such thing
  }
}
