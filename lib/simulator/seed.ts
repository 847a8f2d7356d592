/** The start state of the world. Times lie before the clock's start; ids and texts are always the same. */
import { type Chat, groupChat, privateChat } from "./chat.ts";
import { md5Hex } from "./digest.ts";
import { emptyAlbum, emptyGroup, type Group, plainMember, type Role } from "./entities.ts";
import { ROOT } from "./group_files.ts";
import { readMessage } from "./message_input.ts";
import { describeSource, LINK_BASE } from "./sources.ts";
import { World } from "./world.ts";

/** The account the simulator is logged in with. */
const ACCOUNT = 10001;

const DAY = 86_400;
const HOUR = 3_600;
const MINUTE = 60;

const PEOPLE: readonly [userId: number, nickname: string, longNick: string][] = [
  [ACCOUNT, "Simulated Bot", "Runs on this machine only."],
  [11001, "Ada", "Notes on the engine"],
  [11002, "林小雨", "下雨天记得带伞"],
  [11003, "Grace", ""],
  [11004, "王磊", "早睡早起"],
  [12001, "Linus", ""],
  [12002, "陈晨", "晨光正好"],
  [12003, "Barbara", ""],
  [12004, "Newcomer", ""],
  [12005, "赵敏", ""],
];

const FRIENDS: readonly [userId: number, remark: string, categoryId: number][] = [
  [11001, "Ada (work)", 1],
  [11002, "", 0],
  [11003, "", 1],
  [11004, "", 0],
];

const GROUPS: readonly { id: number; name: string; memo: string; members: readonly [userId: number, role: Role][] }[] =
  [
    {
      id: 20001,
      name: "SnowLuma Playground",
      memo: "The simulated bot is an admin here.",
      members: [[11001, "owner"], [ACCOUNT, "admin"], [11002, "member"], [12001, "member"], [12002, "member"]],
    },
    {
      id: 20002,
      name: "周末徒步",
      memo: "The simulated bot is a plain member here.",
      members: [[12003, "owner"], [11004, "admin"], [ACCOUNT, "member"], [12002, "member"]],
    },
    {
      id: 20003,
      name: "Release Watch",
      memo: "The simulated bot owns this group.",
      members: [[ACCOUNT, "owner"], [11003, "admin"], [12001, "member"], [12003, "member"]],
    },
  ];

/** A world in its start state. @param clock Milliseconds since 1970. */
export function seedWorld(clock: () => number): World {
  const world = new World(ACCOUNT, clock);
  for (const [userId, nickname, longNick] of PEOPLE) {
    world.people.set(userId, { userId, nickname, longNick, level: 32 });
  }
  world.categories.set(0, "My Friends").set(1, "Work");
  for (const [userId, remark, categoryId] of FRIENDS) world.friends.set(userId, { userId, remark, categoryId });
  for (const group of GROUPS) world.groups.set(group.id, seedGroup(world, group));
  seedMessages(world);
  seedRequests(world);
  seedExtras(world);
  return world;
}

function seedGroup(world: World, { id, name, memo, members }: (typeof GROUPS)[number]): Group {
  const createdAt = world.now() - 400 * DAY;
  const group = { ...emptyGroup(id, name, createdAt), memo, level: 3 };
  for (const [userId, role] of members) {
    group.members.set(userId, { ...plainMember(userId, createdAt), role, lastSentAt: world.now() - HOUR });
  }
  const docs = `/docs-${id}`;
  const file = { uploaderId: ACCOUNT, uploadedAt: createdAt, modifiedAt: createdAt, deadAt: 0 };
  group.files.addFolder({ id: docs, name: "Documents", creatorId: ACCOUNT, createdAt });
  group.files.addFile({ ...file, id: `/readme-${id}`, name: "readme.txt", sizeBytes: 1_234, folderId: ROOT });
  group.files.addFile({ ...file, id: `/guide-${id}`, name: "guide.pdf", sizeBytes: 45_678, folderId: docs });
  const sent = { senderId: ACCOUNT, time: createdAt };
  const noticeId = `notice-${id}-1`;
  group.notices.set(noticeId, { ...sent, id: noticeId, text: "Welcome! Be kind.", type: 6, pinned: 1 });
  const album = emptyAlbum(`album-${id}`, "Trips", ACCOUNT, createdAt);
  const lloc = `lloc-${id}-1`;
  album.media.set(lloc, { uploaderId: ACCOUNT, time: createdAt, batchId: "1001", lloc, name: "sunset.jpg" });
  group.albums.push(album);
  return group;
}

function seedMessages(world: World): void {
  const lines: [chat: Chat, senderId: number, minutesAgo: number, message: unknown][] = [
    [groupChat(20001), 11001, 55, "Good morning, everybody."],
    [groupChat(20001), 11002, 52, "早上好！[CQ:face,id=178]"],
    [
      groupChat(20001),
      12001,
      41,
      `[CQ:image,file=${LINK_BASE}/pictures/whiteboard.png] Notes from the meeting`,
    ],
    [groupChat(20001), ACCOUNT, 40, "Thank you, saved."],
    [groupChat(20001), 12002, 12, [{ type: "record", data: { file: "base64://IyFBTVIK" } }]],
    [groupChat(20001), 11001, 5, `[CQ:at,qq=${ACCOUNT}] please remind us at five`],
    [groupChat(20002), 12003, 180, "周六上午八点，公园东门集合。"],
    [groupChat(20002), 11004, 175, "收到"],
    [groupChat(20003), ACCOUNT, 300, "Version 1.0 is out."],
    [groupChat(20003), 11003, 290, "Congratulations!"],
    [privateChat(11001), 11001, 30, "Can you send me the guide later?"],
    [privateChat(11001), ACCOUNT, 29, "Of course."],
    [privateChat(11002), 11002, 20, "晚上一起吃饭吗？"],
  ];
  for (const [chat, senderId, minutesAgo, message] of lines) {
    const [segments = []] = readMessage(world, { chat, senderId }, message);
    world.messages.append(chat, senderId, world.now() - minutesAgo * MINUTE, segments);
  }
}

function seedRequests(world: World): void {
  const time = world.now() - 2 * HOUR;
  world.friendRequests.push(
    { flag: "u_simulated_12004", userId: 12004, comment: "Hi, we met in the playground.", time },
    { flag: "u_simulated_12001", userId: 12001, comment: "Linus from Release Watch", time },
  );
  world.doubtfulRequests.push({ flag: "u_simulated_12005", userId: 12005, comment: "你好", time });
  const common = { checked: false, filtered: false };
  world.groupRequests.push(
    {
      ...common,
      flag: "slreq:add:20001:12004",
      requestId: 500_001,
      kind: "add",
      groupId: 20001,
      groupName: "SnowLuma Playground",
      userId: 12004,
      message: "May I join?",
    },
    {
      ...common,
      flag: "slreq:invite:20004:11002",
      requestId: 500_002,
      kind: "invite",
      groupId: 20004,
      groupName: "读书会",
      userId: 11002,
      message: "",
    },
    {
      ...common,
      flag: "1:20001:u_simulated_12005:filtered",
      requestId: 500_003,
      kind: "add",
      groupId: 20001,
      groupName: "SnowLuma Playground",
      userId: 12005,
      message: "加群",
      filtered: true,
    },
  );
}

function seedExtras(world: World): void {
  const time = world.now() - DAY;
  const post = { time, images: [], right: 1, commentCount: 0 };
  // The older one first, as it happened.
  world.posts.set("simulated-post-2", {
    ...post,
    tid: "simulated-post-2",
    ownerId: 11002,
    content: "今天的云很好看。",
    time: time - HOUR,
    images: [`${LINK_BASE}/pictures/clouds.jpg`],
  });
  world.posts.set("simulated-post-1", {
    ...post,
    tid: "simulated-post-1",
    ownerId: ACCOUNT,
    content: "First post of a simulated account.",
  });
  const emojiId = `${ACCOUNT}_0_0_0_${md5Hex("wave").toUpperCase()}_0_0`;
  world.faces.set(emojiId, { emojiId, desc: "wave" });
  const id = "5f0c3a52-7f7e-4b7a-9f5e-3c1d2e4b6a70";
  world.filesets.set(id, {
    id,
    name: "Slides",
    shareCode: "simulated1",
    files: [{ name: "slides.pdf", sizeBytes: 204_800, id: "flash-1" }],
  });
  world.media.add({ ...describeSource("base64://c2ltdWxhdGVk"), kind: "image", name: "simulated.png" });
  world.media.add({ ...describeSource("base64://IyFBTVIK"), kind: "record", name: "simulated.amr" });
  world.forwards.set("simulated-forward-1", [
    { userId: 11001, nickname: "Ada", time, message: [{ type: "text", data: { text: "Forwarded hello" } }] },
  ]);
  world.privateFiles.set("/simulated-private-file", { name: "letter.txt", sizeBytes: 321, hash: md5Hex("letter") });
}
