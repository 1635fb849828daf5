/**
 * Takes bytes as they come and has a result at their end. It is ended once, or aborted: before its end, or when the end
 * has failed.
 */
export interface ByteSink<Result> {
  /**
   * Copies what it keeps of the bytes: the caller may use their memory again. A promise asks the caller to wait for room.
   * It never rejects: the next call throws what has gone wrong meanwhile.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  end(): Promise<Result>;
  /** Settles when nothing more happens. @param reason why the bytes end here */
  abort(reason: unknown): Promise<void>;
}

/**
 * Ends the sink when the bytes end well; otherwise leaves nothing behind.
 * @throws what `bytes` or the sink threw
 */
export async function pour<Result>(
  bytes: AsyncIterable<Uint8Array>,
  sink: ByteSink<Result>,
): Promise<Result> {
  try {
    for await (const chunk of bytes) await sink.write(chunk);
    return await sink.end();
  } catch (error) {
    // The caller must hear why it failed, even if the abort fails too.
    await sink.abort(error).catch(() => undefined);
    throw error;
  }
}

/** All bytes of a body; undefined where there are more than `most`. The rest is not read. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
