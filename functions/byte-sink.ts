/**
 * Takes bytes as they come, for a result that is known at their end. It is ended once, or aborted: before its end, or
 * when that has failed.
 */
export interface ByteSink<Result> {
  /**
   * Keeps the bytes, which must not change any more. A promise asks to wait for room; it never rejects: what has
   * gone wrong meanwhile the next call throws.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  end(): Promise<Result>;
  /** Settles when nothing more happens. @param reason why the bytes end here */
  abort(reason: unknown): Promise<void>;
}

/** The bytes end well, or leave nothing behind. @throws what `bytes` or the sink did */
export async function pour<Result>(
  bytes: AsyncIterable<Uint8Array>,
  sink: ByteSink<Result>,
): Promise<Result> {
  try {
    for await (const chunk of bytes) await sink.write(chunk);
    return await sink.end();
  } catch (error) {
    // Why it failed is what the caller must hear, whatever becomes of the tidying.
    await sink.abort(error).catch(() => undefined);
    throw error;
  }
}
