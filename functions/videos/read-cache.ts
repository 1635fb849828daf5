import QuickLRU from 'quick-lru';

export interface ReadCacheOptions<Value> {
  readonly read: (key: string) => Promise<Value>;
  /** How long a value is used before it is read again. */
  readonly milliseconds: number;
  readonly now: () => Date;
}

const CACHED_ANSWERS = 500;

/** Remembers what a function instance has read for a while. When a new read fails, the old value is used on. */
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
