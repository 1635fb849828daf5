import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures/tls', name), 'utf8');

/** A certificate authority that only tests trust. */
export const testAuthority = read('ca.pem');

/** The certificate of a local TLS server. */
export const certificate = (name: 'localhost' | 'other.example') => ({
  key: read(`${name}.key`),
  cert: read(`${name}.pem`),
});
