/**
 * Repeats work that reads, decides, and writes only if nothing has changed since. Work returns `undefined` when
 * something has; then all of it is done again with what is there now.
 * @throws what `exhausted` gives, when all attempts have met a change by somebody else
 */
export async function retryOnConflict<T>(
  attempts: number,
  work: () => Promise<T | undefined>,
  exhausted: () => Error,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const result = await work();
    if (result !== undefined) return result;
  }
  throw exhausted();
}
