/** How a fault of the disk, or of a file of the task folder, is told. */
import { basename } from "node:path";
import { Failure } from "../errors.ts";
import { quote, systemReason } from "../files/system_reason.ts";
import { RecordFault } from "./record.ts";

const NEXT_STEP =
  "Ask the operator to look at that file and at the disk of the folder that SNOWLUMA_MCP_TASK_DIR names.";

/** The reason of a fault, in words that follow the file's name. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof RecordFault) return fault.message;
  return fault instanceof Failure ? fault.message : systemReason(fault);
}

/**
 * A failure `storage` that names the file.
 *
 * @param cannot What was to be done, such as `read`.
 * @param fault What came of it; a {@link Failure} is given back as it is.
 */
export function storageFailure(
  cannot: "read" | "write" | "lock" | "list" | "find",
  path: string,
  fault: unknown,
): Failure {
  if (fault instanceof Failure) return fault;
  const message = `Cannot ${cannot} ${quote(basename(path))} of the task folder: ${reasonOf(fault)}`;
  return new Failure("storage", message, NEXT_STEP, { cause: fault });
}
