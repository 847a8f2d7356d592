/** Types of the functions of `@std/path` that this project uses. */
export function fromFileUrl(url: string | URL): string;
export function resolve(...paths: string[]): string;
