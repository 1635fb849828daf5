import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');

/** The authority that only tests trust. */
export const testAuthority = read('ca.pem');

/** For a TLS server on this machine, which is called `localhost`. */
export const certificate = (name: 'localhost' | 'other.example') => ({
  key: read(`${name}.key`),
  cert: read(`${name}.pem`),
});
