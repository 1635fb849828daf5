import QuickLRU from 'quick-lru';

export interface ReadCacheOptions<Value> {
  readonly read: (key: string) => Promise<Value>;
  /** For so long an answer is good. */
  readonly milliseconds: number;
  readonly now: () => Date;
}

const CACHED_ANSWERS = 500;

/** What a function instance has read is not read again for a while. What cannot be read again is as it was. */
export function readCache<Value>({ read, milliseconds, now }: ReadCacheOptions<Value>) {
  const answers = new QuickLRU<string, { readonly value: Value; readonly until: number }>({
    maxSize: CACHED_ANSWERS,
  });
  return async (key: string): Promise<Value> => {
    const known = answers.get(key);
    if (known !== undefined && known.until > now().getTime()) return known.value;
    const value = await read(key).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.value;
    });
    answers.set(key, { value, until: now().getTime() + milliseconds });
    return value;
  };
}
