/**
 * Replaces the SDK's default chain in the functions' bundles. A Lambda's credentials are in its environment and nowhere
 * else, and the rest of the chain is a quarter of a bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
