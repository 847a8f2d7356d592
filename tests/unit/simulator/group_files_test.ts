/** Files of groups and private chats, and albums. */
import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { MAX_GROUP_ENTRIES } from "../../../lib/simulator/entities.ts";
import { type GroupFile, GroupFiles, MAX_FILES, MAX_SPACE, ROOT } from "../../../lib/simulator/group_files.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { data, refusal } from "./support.ts";
import { verifies } from "../../requirements.ts";

const GROUP = { group_id: 20001 };
const README = "/readme-20001";
const DOCS = "/docs-20001";

interface FileRow {
  file_id: string;
  file_name: string;
  file_size: number;
}

const SOURCES: [file: string, name: string | undefined, expectedName: string, expectedSize: number | undefined][] = [
  ["base64://aGVsbG8=", "a.txt", "a.txt", 5],
  ["https://example.com/dir/b%20c.zip?x=1", undefined, "b c.zip", undefined],
  ["/home/bot/d.bin", undefined, "d.bin", undefined],
  ["file:///home/bot/e.bin", undefined, "e.bin", undefined],
  ["C:\\files\\f.bin", undefined, "f.bin", undefined],
];

Deno.test("upload_group_file records name and size of each source", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  for (const [file, name, expectedName, expectedSize] of SOURCES) {
    const { file_id } = await data(simulator, "upload_group_file", { ...GROUP, file, ...(name ? { name } : {}) });
    const { files } = await data(simulator, "get_group_root_files", GROUP);
    const row = files.find((each: FileRow) => each.file_id === file_id);
    strictEqual(row?.file_name, expectedName);
    if (expectedSize === undefined) ok(row.file_size > 0);
    else strictEqual(row.file_size, expectedSize);
    match((await data(simulator, "get_group_file_url", { ...GROUP, file_id })).url, /^https:\/\//);
  }
  await refusal(simulator, "upload_group_file", { ...GROUP, file: "base64://" }, 100);
  await refusal(simulator, "upload_group_file", { ...GROUP, file: "/a", folder: "/nowhere" }, 100);
});

Deno.test("upload_group_file posts a card unless told not to", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const last = async (): Promise<string> =>
    (await data(simulator, "get_group_msg_history", { ...GROUP, count: 1 })).messages[0].message[0].type;
  await data(simulator, "upload_group_file", { ...GROUP, file: "/a.txt", upload_file: false });
  strictEqual(await last(), "at");
  await data(simulator, "upload_group_file", { ...GROUP, file: "/b.txt" });
  strictEqual(await last(), "file");
});

Deno.test("group files can be moved, renamed and deleted", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const names = async (folder_id: string): Promise<string[]> =>
    (await data(simulator, "get_group_files_by_folder", { ...GROUP, folder_id })).files.map((row: FileRow) =>
      row.file_name
    );
  const move = { ...GROUP, file_id: README, parent_directory: "/", target_directory: DOCS };
  await data(simulator, "move_group_file", move);
  deepStrictEqual([await names("/"), await names(DOCS)], [[], ["readme.txt", "guide.pdf"]]);
  match(await refusal(simulator, "move_group_file", move, 100), /not in folder/);
  await refusal(simulator, "rename_group_file", { ...GROUP, file_id: README, new_name: "x" }, 100);
  await data(simulator, "rename_group_file", {
    ...GROUP,
    file_id: README,
    current_parent_directory: DOCS,
    new_name: "x",
  });
  deepStrictEqual(await names(DOCS), ["x", "guide.pdf"]);
  await data(simulator, "delete_group_file", { ...GROUP, file_id: README });
  await refusal(simulator, "get_group_file_url", { ...GROUP, file_id: README }, 100);
  await data(simulator, "delete_group_folder", { ...GROUP, folder_id: DOCS });
  await refusal(simulator, "get_group_files_by_folder", { ...GROUP, folder_id: DOCS }, 100);
  const info = await data(simulator, "get_group_file_system_info", GROUP);
  deepStrictEqual([info.file_count, info.used_space], [0, 0]);
});

Deno.test("folders can be made and renamed", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const made = await data(simulator, "create_group_file_folder", { ...GROUP, name: "New" });
  const { folderId } = made.groupItem.folderInfo;
  await refusal(simulator, "create_group_file_folder", { ...GROUP, name: "New" }, 100);
  await data(simulator, "upload_group_file", { ...GROUP, file: "/a.txt", folder_id: folderId });
  await data(simulator, "rename_group_file_folder", { ...GROUP, folder_id: folderId, name: "Newer" });
  const { folders } = await data(simulator, "get_group_root_files", GROUP);
  deepStrictEqual(
    folders.map((folder: Record<string, unknown>) => [folder.folder_name, folder.total_file_count]),
    [["Documents", 1], ["Newer", 1]],
  );
  await refusal(simulator, "rename_group_file_folder", { ...GROUP, folder_id: folderId }, 1400);
});

Deno.test("private files have a link and can be sent by id", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const { file_id } = await data(simulator, "upload_private_file", { user_id: 11001, file: "/a/b.txt" });
  match((await data(simulator, "get_private_file_url", { file_id })).url, /^http:\/\//);
  const sent = await data(simulator, "send_private_msg", {
    user_id: 11001,
    message: { type: "file", data: { file_id } },
  });
  strictEqual((await data(simulator, "get_msg", sent)).message[0].data.name, "b.txt");
  await refusal(simulator, "get_private_file_url", { file_id: "nothing" }, 100);
});

Deno.test("album media come and go", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const album = { ...GROUP, album_id: "album-20001" };
  await data(simulator, "upload_image_to_qun_album", { ...album, album_name: "Trips", file: "/a.jpg" });
  const { mediaList } = await data(simulator, "get_group_album_media_list", album);
  strictEqual(mediaList.length, 2);
  const { lloc } = mediaList[1].image;
  await data(simulator, "set_group_album_media_like", { ...album, batch_id: mediaList[1].batchId });
  await data(simulator, "do_group_album_comment", { ...album, lloc, content: "nice" });
  await data(simulator, "del_group_album_media", { ...album, lloc });
  await refusal(simulator, "do_group_album_comment", { ...album, lloc, content: "nice" }, 100);
  await refusal(simulator, "set_group_album_media_like", { ...album, batch_id: "x" }, 100);
  strictEqual((await data(simulator, "get_group_album_list", GROUP))[0].picNum, 1);
});

function groupFile(id: string, sizeBytes: number): GroupFile {
  return { id, name: id, sizeBytes, folderId: ROOT, uploaderId: 1, uploadedAt: 0, modifiedAt: 0, deadAt: 0 };
}

Deno.test("a group refuses the file that is one too many, until another one goes", () => {
  verifies("simulator-world");
  const area = new GroupFiles();
  for (let index = 0; index < MAX_FILES; index += 1) area.addFile(groupFile(`/${index}`, 1));
  throws(() => area.addFile(groupFile("/more", 1)), /at most 10000 files/);
  area.deleteFile("/0");
  area.addFile(groupFile("/more", 1));
  deepStrictEqual([area.files.length, area.usedBytes], [MAX_FILES, MAX_FILES]);
});

Deno.test("a group refuses the byte that is one too many, and a deleted folder gives its space back", () => {
  verifies("simulator-world");
  const area = new GroupFiles();
  area.addFolder({ id: "/f", name: "f", creatorId: 1, createdAt: 0 });
  area.addFile({ ...groupFile("/large", MAX_SPACE - 1), folderId: "/f" });
  throws(() => area.addFile(groupFile("/more", 2)), /at most 10737418240 bytes/);
  area.addFile(groupFile("/last", 1));
  strictEqual(area.usedBytes, MAX_SPACE);
  area.deleteFolder("/f");
  strictEqual(area.usedBytes, 1);
});

Deno.test("an album forgets its oldest picture when it is full", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const album = { ...GROUP, album_id: "album-20001" };
  const names = async (): Promise<string[]> =>
    (await data(simulator, "get_group_album_media_list", album)).mediaList.map(
      ({ image }: { image: { name: string } }) => image.name,
    );
  const upload = (index: number): Promise<unknown> =>
    data(simulator, "upload_image_to_qun_album", { ...album, album_name: "Trips", file: `/${index}.jpg` });
  for (let index = 1; index < MAX_GROUP_ENTRIES; index += 1) await upload(index);
  const full = await names();
  deepStrictEqual([full.length, full[0]], [MAX_GROUP_ENTRIES, "sunset.jpg"]);
  await upload(MAX_GROUP_ENTRIES);
  const after = await names();
  deepStrictEqual([after.length, after[0], after.at(-1)], [MAX_GROUP_ENTRIES, "1.jpg", `${MAX_GROUP_ENTRIES}.jpg`]);
});
