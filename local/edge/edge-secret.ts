import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { StateFolder } from '../state-folder.ts';

export interface EdgeSecret {
  readonly text: string;
  /** The digest that functions compare the secret with. */
  readonly sha256: string;
}

/** The secret with which the edge of this run proves itself. It is kept, because a new one would redeploy every function. */
export async function edgeSecret({ emulator }: StateFolder): Promise<EdgeSecret> {
  const text = (await readFile(emulator.secretFile, 'utf8').catch(() => '')) || (await makeSecret(emulator));
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

async function makeSecret({ root, secretFile }: StateFolder['emulator']): Promise<string> {
  const text = randomBytes(32).toString('base64url');
  await mkdir(root, { recursive: true, mode: 0o700 });
  await writeFile(secretFile, text, { mode: 0o600 });
  return text;
}
