/** Arguments that several tools share. */
import * as z from "zod";

/** An action's parameters by name, as a JSON object; absent means none. */
export const PARAMS: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodUnknown>> = z.record(
  z.string(),
  z.unknown(),
  "must be a JSON object, not a string or a list",
).default({});

/** How a call is made, beside what the bot gets. */
export const EXECUTION: z.ZodOptional<z.ZodObject<{ input_file: z.ZodString }>> = z.strictObject({
  input_file: z.string().min(1).max(4096).describe(
    "File below the server's upload root, for upload_file_stream; the transfer then sets all its params but filename " +
      "and file_retention.",
  ),
}).optional();
