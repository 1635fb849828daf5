import { extendedEncodeURIComponent as encoded } from '@smithy/core/protocols';
import type { AwsRole } from './own-role.ts';

/** Where S3 has an object: at a host for each bucket, but where something stands in for AWS. */
export function objectAddress(
  bucket: string,
  key: string,
  { region, endpoint }: Pick<AwsRole, 'region' | 'endpoint'>,
): URL {
  const path = key.split('/').map(encoded).join('/');
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${path}`);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://${bucket}.s3.${region}.${suffix}/${path}`);
}
