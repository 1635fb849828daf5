import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client } from '../../aws/s3.ts';
import { signDownload } from '../../aws/sign-download.ts';
import { type SigningRole, signedFetch } from '../../aws/signed-fetch.ts';
import type { OwnAccount } from '../providers/provider.ts';
import type { ProviderSettings } from '../providers/provider-settings.ts';

export interface OwnAccountPorts extends SigningRole {
  /** Replaces AWS's own addresses, as the SDK's variable of that name does. */
  readonly endpoint: string | undefined;
  readonly s3: S3Client;
  readonly bucket: string;
}

/** The stage's account, in which a provider's models run: by default in the stage's own region. */
export function ownAccount({ aws }: Pick<ProviderSettings, 'aws'>, ports: OwnAccountPorts): OwnAccount {
  const { region, bucket } = aws ?? ports;
  return {
    bucket,
    address: (service) => ports.endpoint ?? `https://${service}.${region}.amazonaws.com`,
    signed: (fetch, service) => signedFetch(fetch, service, { ...ports, region }),
    link: async (key) => {
      const client =
        region === ports.region ? ports.s3 : createS3Client({ region, credentials: ports.credentials });
      const { url } = await signDownload(client, { Bucket: bucket, Key: key }, ports.now());
      return url;
    },
  };
}
