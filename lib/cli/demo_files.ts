/** The part of the demo with files: one goes to the bot and into a group, one comes from it. */
import { resolve } from "@std/path";
import { generatedFile, generatedSha256 } from "../simulator/mod.ts";
import type { Folders, Transcript } from "./demo_transcript.ts";

/** Size of the file that is downloaded, in bytes: enough for more than one notification. */
const DOWNLOAD_BYTES = 32 * 1024 * 1024;

/** Uploads, sends and downloads. */
export async function transferring(session: Transcript, folders: Folders): Promise<void> {
  await using _ = await session.connect("write", folders);

  session.title("Upload a file of this machine");
  const upload = await session.call("invoke_action", {
    action: "upload_file_stream",
    execution: { input_file: "minutes.txt" },
  });
  session.expect(upload.diagnostics.outcome === "success", "the bot has it, with the same SHA-256");
  session.expect(session.progress > 0, "the client was told how it went on");

  session.title("Send it to a group");
  const sent = await session.call("invoke_action", {
    action: "upload_group_file",
    params: { group_id: 20001, file: upload.result.data?.file_path, name: "minutes.txt" },
  });
  session.expect(sent.diagnostics.outcome === "success", "the group has it");

  session.title("Download a file whose name would lead out of the folder");
  const before = session.progress;
  const saved = await session.call("invoke_action", {
    action: "download_file_stream",
    params: { file: generatedFile(DOWNLOAD_BYTES, "../../holiday photos.zip") },
  });
  session.expect(
    saved.result.file_path === resolve(folders.downloads, "holiday photos.zip"),
    "it stayed in the folder",
  );
  session.expect(saved.result.sha256 === generatedSha256(DOWNLOAD_BYTES), "every byte of it is there");
  session.expect(session.progress > before, "the client was told how it went on");
}

/** Makes folders for one run. Disposing of them removes them with what they hold. */
export async function makeFolders(): Promise<Folders & AsyncDisposable> {
  const root = resolve(".demo");
  const own = `${root}/${crypto.randomUUID()}`;
  const folders = { downloads: `${own}/downloads`, uploads: `${own}/uploads`, tasks: `${own}/tasks` };
  for (const path of Object.values(folders)) await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(
    `${folders.uploads}/minutes.txt`,
    "Minutes of a meeting that never took place.\n".repeat(50_000),
  );
  return {
    ...folders,
    async [Symbol.asyncDispose](): Promise<void> {
      await Deno.remove(own, { recursive: true });
      await Deno.remove(root).catch(() => {}); // another run has its own in it
    },
  };
}
