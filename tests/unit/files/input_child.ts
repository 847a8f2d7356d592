/** Opens the upload root given, then for each line the file of that path, and reads it. */
import { Failure } from "../../../lib/errors.ts";
import { openInputFile, openUploadRoot } from "../../../lib/files/input_file.ts";
import { answerLines } from "./support.ts";

const [path = ""] = Deno.args;

async function read(line: string): Promise<unknown> {
  const root = await openUploadRoot(path);
  using file = await openInputFile(root, line, 1000);
  const bytes = new Uint8Array(file.size);
  await file.read(bytes);
  await file.checkUnchanged();
  return { name: file.name, text: new TextDecoder().decode(bytes) };
}

await answerLines((line) =>
  read(line).catch((error) =>
    error instanceof Failure ? { kind: error.kind, message: error.message, next: error.nextStep } : String(error)
  )
);
