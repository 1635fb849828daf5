/** Sends a request under a key by which the API knows it again. */
export type SendOnce = <Answer>(request: unknown, send: (key: string) => Promise<Answer>) => Promise<Answer>;

/**
 * Keeps the key of each request until it has succeeded: whoever presses again after a lost answer gets what the first
 * press did, and nothing is done twice.
 */
export function sendOnce(newKey: () => string): SendOnce {
  const keys = new Map<string, string>();
  return async (request, send) => {
    const name = JSON.stringify(request);
    const key = keys.get(name) ?? newKey();
    keys.set(name, key);
    const answer = await send(key);
    keys.delete(name);
    return answer;
  };
}
