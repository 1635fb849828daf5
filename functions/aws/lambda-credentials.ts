import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';
import { systemClock } from '../clock.ts';

/** The SDK's own chain also renews credentials this long before they expire. */
const RENEWAL_MILLISECONDS = 300_000;

/**
 * Replaces the SDK's default chain in the functions' bundles. A Lambda's credentials are in its environment and nowhere
 * else, and the rest of the chain is a quarter of a bundle. Like the chain it reads them once, and again only when they
 * are about to expire: every signature asks for them.
 */
export const defaultProvider = (...settings: Parameters<typeof fromEnv>) =>
  memoize(
    fromEnv(...settings),
    ({ expiration }) =>
      expiration !== undefined && expiration.getTime() - systemClock().getTime() < RENEWAL_MILLISECONDS,
    ({ expiration }) => expiration !== undefined,
  );
