/** The part of the demo with durable tasks: the server is killed in the middle of an upload, and started again. */
import { generatedFile } from "../simulator/mod.ts";
import { DemoServer, type Task } from "./demo_server.ts";
import type { Folders, Transcript } from "./demo_transcript.ts";

/** What the killed server has sent needs so long to be counted, in milliseconds. */
const LAST_WORDS_MS = 300;

/** Uploads in the background, through a crash of the server. */
export async function background(session: Transcript, folders: Folders): Promise<void> {
  const upload = { action: "upload_file_stream", execution: { input_file: "minutes.txt" } };
  const download = { action: "download_file_stream", params: { file: generatedFile(1024) } };
  let done: Task;
  let doomed: Task;
  {
    await using server = await DemoServer.start(session, folders);
    session.title("Download in the background");
    done = await server.call("invoke_action_background", download);
    session.expect(done.resultType === "task", "the handle came at once");
    done = await server.untilEnded(done.taskId);
    session.expect(done.status === "completed", "the task is completed");

    session.title("Upload to a slow bot in the background, and kill the server in the middle");
    session.simulator.script({ kind: "delay", when: "before", ms: 600, action: "upload_file_stream", times: 100 });
    doomed = await server.call("invoke_action_background", upload);
    await server.untilSent(session);
    session.expect((await server.get(doomed.taskId)).status === "working", "the upload is under way");
    await server.kill();
  }
  session.simulator.clearFaults();
  await new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
  const sent = session.requests;

  session.title("Start it again");
  await using server = await DemoServer.start(session, folders);
  const { tasks } = (await server.call("list_tasks", {})).structuredContent.result;
  session.expect(tasks.length === 2 && tasks[0]?.taskId === doomed.taskId, "both tasks are still there");
  session.expect((await server.get(done.taskId)).status === "completed", "what was completed kept its result");
  const ended = await server.get(doomed.taskId);
  session.expect(
    ended.status === "failed" && ended.statusMessage?.includes("UNKNOWN"),
    "the outcome is told as unknown",
  );
  session.expect(session.requests === sent, "nothing was sent again");
}
