/** The file area of one group: files in folders, one level deep as in QQ. */
import { ActionFailure } from "./failure.ts";

/** The folder id of the root. */
export const ROOT = "/";

/** Files that one group keeps; one more is refused. */
export const MAX_FILES = 10_000;

/** What they hold together, in bytes (10 GiB); a file that does not fit is refused. */
export const MAX_SPACE = 10_737_418_240;

/** Folders that one group keeps; one more is refused. */
const MAX_FOLDERS = 1_000;

export interface GroupFile {
  readonly id: string;
  name: string;
  readonly sizeBytes: number;
  folderId: string;
  readonly uploaderId: number;
  /** Unix seconds; so are all times here. */
  readonly uploadedAt: number;
  modifiedAt: number;
  /** When it vanishes; 0 stays. */
  deadAt: number;
}

export interface GroupFolder {
  readonly id: string;
  name: string;
  readonly creatorId: number;
  readonly createdAt: number;
}

export class GroupFiles {
  readonly #files = new Map<string, GroupFile>();
  readonly #folders = new Map<string, GroupFolder>();
  #usedBytes = 0;

  get files(): readonly GroupFile[] {
    return [...this.#files.values()];
  }

  get folders(): readonly GroupFolder[] {
    return [...this.#folders.values()];
  }

  /** Sizes of all files together, in bytes. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @throws ActionFailure if the folder is none, or if the area is full. */
  addFile(file: GroupFile): void {
    this.checkFolder(file.folderId);
    if (this.#files.size >= MAX_FILES) throw new ActionFailure(`a group keeps at most ${MAX_FILES} files`);
    if (this.#usedBytes + file.sizeBytes > MAX_SPACE) {
      throw new ActionFailure(`the files of a group hold at most ${MAX_SPACE} bytes`);
    }
    this.#files.set(file.id, file);
    this.#usedBytes += file.sizeBytes;
  }

  /** @throws ActionFailure if a folder has this name already, or if there are too many. */
  addFolder(folder: GroupFolder): void {
    if (this.#folders.size >= MAX_FOLDERS) throw new ActionFailure(`a group keeps at most ${MAX_FOLDERS} folders`);
    if (this.folders.some(({ name }) => name === folder.name)) {
      throw new ActionFailure(`a folder named ${folder.name} exists`);
    }
    this.#folders.set(folder.id, folder);
  }

  /** @throws ActionFailure if there is no such file. */
  file(id: string): GroupFile {
    const file = this.#files.get(id);
    if (file === undefined) throw new ActionFailure(`file ${id} not found`);
    return file;
  }

  /** @throws ActionFailure if there is no such folder; the root is none that could be changed. */
  folder(id: string): GroupFolder {
    const folder = this.#folders.get(id);
    if (folder === undefined) throw new ActionFailure(`folder ${id} not found`);
    return folder;
  }

  inFolder(folderId: string): GroupFile[] {
    return this.files.filter((file) => file.folderId === folderId);
  }

  deleteFile(id: string): void {
    this.#usedBytes -= this.file(id).sizeBytes;
    this.#files.delete(id);
  }

  /** Removes the folder and what is in it. */
  deleteFolder(id: string): void {
    for (const file of this.inFolder(this.folder(id).id)) this.deleteFile(file.id);
    this.#folders.delete(id);
  }

  /** @throws ActionFailure unless `id` is the root or a folder. */
  checkFolder(id: string): void {
    if (id !== ROOT) this.folder(id);
  }
}
