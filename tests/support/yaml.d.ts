/** Types of the functions of `@std/yaml` that the tests use. */
export function parse(content: string): unknown;
