import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { KeyStore } from '../keys/key-store.ts';
import { type Authenticator, createAuthenticator } from './authentication.ts';

/** The authenticator over the deployment's table of keys, for every adapter that takes requests. */
export function keyAuthenticator(): Authenticator {
  const { KEYS_TABLE } = readEnvironment({ KEYS_TABLE: v.string() });
  return createAuthenticator(new KeyStore(dynamo, KEYS_TABLE), systemClock);
}
