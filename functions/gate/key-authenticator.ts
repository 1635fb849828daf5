import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { log } from '../aws/logger.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { KeyStore } from '../keys/key-store.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { type Authenticator, createAuthenticator } from './authentication.ts';

export interface KeyAuthenticator extends Authenticator {
  /** When it has been written down that the keys accepted so far were used. */
  usesNoted(): Promise<void>;
}

/** The authenticator over the deployment's table of keys, for every adapter that takes requests. */
export function keyAuthenticator(): KeyAuthenticator {
  const { KEYS_TABLE } = readEnvironment({ KEYS_TABLE: v.string() });
  const keys = new KeyStore(dynamo, KEYS_TABLE);
  const uses = new KeyUses(keys, systemClock, log);
  return { ...createAuthenticator(keys, uses, systemClock), usesNoted: () => uses.settled() };
}
