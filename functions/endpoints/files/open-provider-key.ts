import { systemClock } from '../../clock.ts';
import { providerKeys } from '../../deployed/secrets.ts';
import { keyStore, sessionStore, workspaceStore } from '../../deployed/stores.ts';
import { type AccountKeyReply, openAccountKey } from '../../files/providers/account-keys.ts';
import { createAuthenticator } from '../../gate/authentication.ts';
import { log } from '../../telemetry/logger.ts';

// The gate of the calling function has noted this use of the key.
const authenticator = createAuthenticator({
  keys: keyStore(),
  sessions: sessionStore(),
  uses: { record: () => undefined },
  now: systemClock,
});

const ports = {
  authenticate: (authorization: string) => authenticator.authenticate({ authorization }, 'key'),
  workspaces: workspaceStore(),
  keys: providerKeys(),
  log,
};

/**
 * For programs that read files: they parse what strangers send, and so must not be able to decrypt. No route leads
 * here.
 */
export const handler = (event: unknown): Promise<AccountKeyReply> => openAccountKey(event, ports);
