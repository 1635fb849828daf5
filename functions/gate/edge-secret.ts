import { createHash } from 'node:crypto';

export interface EdgeSecret {
  /** What the edge sends with each request. */
  readonly text: string;
  /** The hashes that functions compare it with: of this secret and, during a rotation, of the one before. */
  readonly sha256: readonly string[];
}

/**
 * The secret of a generation, from a key derivation that nobody can guess. Functions accept the next secret before the
 * edge sends it, and accept both until then.
 */
export async function edgeSecret(
  derive: (name: string) => Promise<Uint8Array>,
  generation: number,
): Promise<EdgeSecret> {
  const text = async (each: number) => Buffer.from(await derive(`edge-secret/${each}`)).toString('base64url');
  const generations = generation === 1 ? [1] : [generation, generation - 1];
  const texts = await Promise.all(generations.map(text));
  return {
    text: await text(generation),
    sha256: texts.map((each) => createHash('sha256').update(each).digest('hex')),
  };
}
