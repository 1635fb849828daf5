/**
 * In place of the SDK's default chain in the functions' bundles: a Lambda's credentials are in its
 * environment and nowhere else, and the other providers of the chain are a quarter of a bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
