import type { KeyStore, StoredKey } from '../../functions/keys/key-store.ts';
import { CommandFailed } from '../cli/cli.ts';

/** Finds a key by its hash, or by its label if no other key has the same. Never by the key itself. */
export async function findKey(keys: Pick<KeyStore, 'list'>, hashOrLabel: string): Promise<StoredKey> {
  const found: StoredKey[] = [];
  for await (const key of keys.list()) {
    if (key.hash === hashOrLabel || key.label === hashOrLabel) found.push(key);
  }
  const [key, ...others] = found;
  if (key === undefined) {
    throw new CommandFailed('No key has that hash or label; run list-keys --all to see all keys');
  }
  if (others.length > 0) {
    const hashes = found.map(({ hash }) => `  ${hash}`).join('\n');
    throw new CommandFailed(`Several keys have that label; give the hash of one:\n${hashes}`);
  }
  return key;
}
