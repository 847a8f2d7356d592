/** A stream that breaks the rules it has to follow: it is given up, and nothing of it is used. */
export class StreamFault extends Error {
  override readonly name = "StreamFault";

  /**
   * @param kind `too_large` for a limit of ours that was hit, `invalid_answer` for everything else.
   * @param message What is wrong, as the end of a sentence, without texts from the stream.
   */
  constructor(readonly kind: "invalid_answer" | "too_large", message: string) {
    super(message);
  }
}
