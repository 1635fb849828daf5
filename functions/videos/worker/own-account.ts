import type { AwsRole } from '../../aws/own-role.ts';
import { signDownload } from '../../aws/sign-download.ts';
import { signedFetch } from '../../aws/signed-fetch.ts';
import type { OwnAccount } from '../providers/provider.ts';
import type { ProviderSettings } from '../providers/provider-settings.ts';

/** A result is copied at once. */
const LINK_SECONDS = 300;

export interface OwnAccountPorts extends AwsRole {
  readonly bucket: string;
  readonly now: () => Date;
}

/** The stage's account, in which a provider's models run: by default in the stage's own region. */
export function ownAccount({ aws }: Pick<ProviderSettings, 'aws'>, ports: OwnAccountPorts): OwnAccount {
  const { region, bucket } = aws ?? ports;
  return {
    bucket,
    address: (service) => ports.endpoint ?? `https://${service}.${region}.amazonaws.com`,
    signed: (fetch, service) => signedFetch(fetch, service, { ...ports, region }),
    link: (key) => signDownload({ ...ports, region }, { bucket, key }, ports.now(), LINK_SECONDS),
  };
}
