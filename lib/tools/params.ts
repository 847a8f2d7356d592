/** The `params` argument that several tools share. */
import * as z from "zod";

/** An action's parameters by name, as a JSON object; absent means none. */
export const PARAMS: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodUnknown>> = z.record(
  z.string(),
  z.unknown(),
  "must be a JSON object, not a string or a list",
).default({});
