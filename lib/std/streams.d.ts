/** Types of the parts of `@std/streams` that this project uses. */
export class TextLineStream extends TransformStream<string, string> {
  constructor(options?: { allowCR?: boolean });
}
export function toText(stream: ReadableStream<Uint8Array | string>): Promise<string>;
