/**
 * Starts the work for each item, in order and for two items at a time, so that one request is under way while this
 * process reads the answer to another. Returns what a test uses to wait for its own item.
 */
export function twoAtATime<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): (item: Item) => Promise<Result> {
  const results = new Map<Item, Promise<Result>>();
  let lanes: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  for (const item of items) {
    const [next, other] = lanes;
    const result = next.then(() => work(item));
    results.set(item, result);
    // The test that waits for it reports its failure.
    lanes = [other, result.catch(() => undefined)];
  }
  return async (item) => {
    const result = results.get(item);
    if (result === undefined) throw new Error('nobody has asked for this item');
    return result;
  };
}
