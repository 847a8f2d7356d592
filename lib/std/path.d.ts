/** Types of the functions of `@std/path` that this project uses. */
export function dirname(path: string): string;
export function fromFileUrl(url: string | URL): string;
export function join(...paths: string[]): string;
export function resolve(...paths: string[]): string;
