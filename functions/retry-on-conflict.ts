/**
 * Does work that reads, decides, and writes only if nothing has changed since. `undefined` says that something
 * had: then all of it is done again, upon what is there now.
 * @throws what `exhausted` gives, once so many attempts have each met somebody else's change
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
