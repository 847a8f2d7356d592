/** The folders of transfers and tasks, as they are configured. What works with files is loaded when one is needed. */
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
    const message = "Cannot save downloads: no folder for them is set, and none for temporary files is known";
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
 * Makes sure at start that configured folders can be used, and takes away what transfers of ended processes left. The
 * task folder is only looked at: who uses it holds it, so that another process may be using it now.
 *
 * @returns What the operator should know: the default download folder may be unusable, which ends no start.
 * @throws {UsageError} for a folder that was set and cannot be used.
 */
export async function prepareFolders(config: Config): Promise<string[]> {
  const notices: string[] = [];
  const others = new Map<string, string>(); // real paths, by setting
  try {
    const downloads = await openDownloads(config);
    others.set(SETTINGS.streamDir.env, downloads.path);
    await downloads.reclaim();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (config.sources.streamDir !== "default") throw noStart(error);
    if (config.streamDir !== undefined) others.set(SETTINGS.streamDir.env, await realPath(config.streamDir)); // later, maybe
    notices.push(`${error.message}. ${error.nextStep}`);
  }
  const { uploadRoot, taskDir } = config;
  try {
    if (uploadRoot !== undefined) {
      const root = await (await import("../files/input_file.ts")).openUploadRoot(uploadRoot);
      others.set(SETTINGS.uploadRoot.env, root.real);
    }
    if (taskDir !== undefined) {
      await keepApart(taskDir, others); // before it is made there
      await keepApart(await (await import("../tasks/task_folder.ts")).checkTaskFolder(taskDir), others);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw noStart(error);
  }
  return notices;
}

/**
 * Refuses a task folder that transfers reach: an upload could send records away, a download bring forged ones.
 *
 * @throws {UsageError}
 */
async function keepApart(tasks: string, others: ReadonlyMap<string, string>): Promise<void> {
  const { componentsBelow } = await import("../files/upload_root.ts");
  const isWithin = (path: string, folder: string): boolean =>
    componentsBelow({ given: folder, real: folder }, path) !== undefined;
  for (const [setting, path] of others) {
    if (!isWithin(tasks, path) && !isWithin(path, tasks)) continue;
    throw new UsageError(
      `${SETTINGS.taskDir.env} ${JSON.stringify(tasks)} and ${setting} ${
        JSON.stringify(path)
      } are one folder, or one ` +
        `lies in the other: set ${SETTINGS.taskDir.env} to a folder apart from it`,
    );
  }
}

/** Without links, as far as it is there and may be looked at; queried first, since a prompt would reach for the terminal. */
async function realPath(path: string): Promise<string> {
  const { state } = await Deno.permissions.query({ name: "read", path });
  return state === "granted" ? await Deno.realPath(path).catch(() => path) : path;
}

/** One sentence out of two; whoever reads it is the operator. */
function noStart({ message, nextStep }: Failure): UsageError {
  return new UsageError(`${message}; ${nextStep.replace(/^Ask the operator to /, "").replace(/\.$/, "")}`);
}
