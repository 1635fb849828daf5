import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from './processes.ts';

export interface Contestant {
  readonly program: string;
  readonly isForm: boolean;
}

const PEERS = join(import.meta.dirname, 'peers');
const peer = (name: string) => join(PEERS, `${name}.mjs`);

export const PIPE: Contestant = { program: bundled('pipe'), isForm: true };
export const GENWAY: Contestant = { program: bundled('genway'), isForm: true };

/** None where they are not installed. */
export function otherLibraries(): Readonly<Record<string, Contestant>> {
  if (!existsSync(join(PEERS, 'node_modules'))) {
    console.log('Without other libraries: npm install --no-package-lock --prefix bench/upload/peers');
    return {};
  }
  return {
    'multer + multer-s3': { program: peer('multer-s3'), isForm: true },
    '@fastify/multipart + lib-storage': { program: peer('fastify-multipart'), isForm: true },
    '@tus/server + @tus/s3-store': { program: peer('tus'), isForm: false },
  };
}
