import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { setting } from '../environment.ts';

/** Who signs for AWS, and where that is. */
export interface AwsRole {
  readonly region: string;
  readonly credentials: ConstructorParameters<typeof SignatureV4>[0]['credentials'];
  /** In place of AWS's own addresses, as the SDK's variable of that name gives it. */
  readonly endpoint: string | undefined;
}

/** The role of the function that asks, or of the server. */
export const ownRole = (): AwsRole => ({
  region: setting('awsRegion'),
  credentials: defaultProvider(),
  endpoint: setting('awsEndpointUrl', v.optional(v.string())),
});
