/** What the SDK takes of its platform, in a binary: the validator that `lib/mcp/form_validator.ts` stands in for is left out. */
export { default as process } from "node:process";

/** Never made: each server is given another one. */
export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("The SDK's own validator is not part of the binary");
  }
}
