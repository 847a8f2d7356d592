/** The folders of transfers, as they are configured. What works with files is loaded when a file comes or goes. */
import type { Config } from "../config/resolve.ts";
import { SETTINGS } from "../config/settings.ts";
import { Failure, UsageError } from "../errors.ts";
import type { DownloadFolder } from "../files/download_folder.ts";
import type { InputFile } from "../files/input_file.ts";

/**
 * Opens the download folder, and makes it if absent.
 *
 * Needs `--allow-read` and `--allow-write` for it.
 *
 * @throws {Failure} `storage` when it cannot be used.
 */
export async function openDownloads({ streamDir, maxStreamBytes, sources }: Config): Promise<DownloadFolder> {
  if (streamDir === undefined) {
    const message = "Cannot save downloads: this system tells no folder for temporary files";
    throw new Failure("storage", message, `Ask the operator to set ${SETTINGS.streamDir.env}.`);
  }
  const { DownloadFolder } = await import("../files/download_folder.ts");
  const isDefault = sources.streamDir === "default";
  return await DownloadFolder.open(streamDir, { isDefault, quotaBytes: 2 * maxStreamBytes });
}

/**
 * Opens a file to upload.
 *
 * Needs `--allow-read` for the upload root.
 *
 * @throws {Failure} `input_file` when there is no upload root, or the file may not be sent.
 */
export async function openUpload({ uploadRoot, maxStreamBytes }: Config, path: string): Promise<InputFile> {
  if (uploadRoot === undefined) {
    const message = "Cannot upload a file: no upload root is set";
    throw new Failure(
      "input_file",
      message,
      `Ask the operator to set ${SETTINGS.uploadRoot.env} to a folder and to grant reading it; init does both.`,
    );
  }
  const { openInputFile, openUploadRoot } = await import("../files/input_file.ts");
  return await openInputFile(await openUploadRoot(uploadRoot), path, maxStreamBytes);
}

/**
 * Makes sure at start that configured folders can be used, and takes away what transfers of ended processes left.
 *
 * @returns What the operator should know: the default download folder may be unusable, which ends no start.
 * @throws {UsageError} for a folder that was set and cannot be used.
 */
export async function prepareFolders(config: Config): Promise<string[]> {
  const notices: string[] = [];
  try {
    await (await openDownloads(config)).reclaim();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (config.sources.streamDir !== "default") throw noStart(error);
    notices.push(`${error.message}. ${error.nextStep}`);
  }
  if (config.uploadRoot === undefined) return notices;
  const { openUploadRoot } = await import("../files/input_file.ts");
  try {
    await openUploadRoot(config.uploadRoot);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw noStart(error);
  }
  return notices;
}

/** One sentence out of two; whoever reads it is the operator. */
function noStart({ message, nextStep }: Failure): UsageError {
  return new UsageError(`${message}; ${nextStep.replace(/^Ask the operator to /, "").replace(/\.$/, "")}`);
}
