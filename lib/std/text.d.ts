/** Types of the part of `@std/text` that this project uses. */
export function levenshteinDistance(a: string, b: string): number;
