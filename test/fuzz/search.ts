import type { Coverage } from './coverage.ts';
import { mutateBytes } from './mutate-bytes.ts';
import type { FuzzTarget } from './targets.ts';

export interface Search {
  readonly inputs: number;
  /** Inputs that were the first to reach some code, or to run it much more often. */
  readonly corpus: readonly Buffer[];
  readonly failure?: { readonly bytes: Buffer; readonly error: unknown } | undefined;
}

/** Changes the inputs that reached new code, again and again, until one of them fails the check. */
export async function search(
  { check, seeds, tokens }: FuzzTarget,
  coverage: Coverage,
  { random, isOver }: { readonly random: () => number; readonly isOver: () => boolean },
): Promise<Search> {
  const corpus: Buffer[] = [];
  const known = new Set<number>();
  let inputs = 0;
  const tryOut = async (bytes: Buffer): Promise<Search | undefined> => {
    inputs++;
    try {
      await check(bytes);
    } catch (error) {
      return { inputs, corpus, failure: { bytes: await shortened(bytes, check), error } };
    }
    const before = known.size;
    for (const place of coverage.take()) known.add(place);
    if (known.size > before || inputs === 1) corpus.push(bytes);
    return undefined;
  };
  coverage.take();
  for (const seed of seeds) {
    const failed = await tryOut(seed);
    if (failed !== undefined) return failed;
  }
  const material = { random, corpus, tokens: tokens.map((token) => Buffer.from(token, 'latin1')) };
  while (!isOver()) {
    const parent = corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0);
    const failed = await tryOut(mutateBytes(parent, material));
    if (failed !== undefined) return failed;
  }
  return { inputs, corpus };
}

/** Removes pieces as long as the check still fails. */
async function shortened(bytes: Buffer, check: FuzzTarget['check']): Promise<Buffer> {
  let kept = bytes;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = Buffer.concat([kept.subarray(0, at), kept.subarray(at + size)]);
      if (await fails(fewer, check)) kept = fewer;
      else at += size;
    }
  }
  return kept;
}

const fails = (bytes: Buffer, check: FuzzTarget['check']): Promise<boolean> =>
  Promise.try(check, bytes).then(
    () => false,
    () => true,
  );
