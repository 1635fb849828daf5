import { type IncomingMessage, request as openRequest } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../functions/aws/sha256.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';

/** The headers that reach S3 through CloudFront: of ranges, of conditions, and of pages that ask across origins. */
const PASSED_ON = /^(range|if-[a-z-]+|origin|access-control-request-[a-z]+)$/;
const SECONDS = 60;

/** Asks a bucket for what a viewer wants, as CloudFront does that signs each request itself (origin access control). */
export function bucketOrigin(aws: AwsAccess, now: () => Date) {
  const signer = new SignatureV4({ service: 's3', ...aws, sha256: Sha256, uriEscapePath: false });
  return async ({ method = 'GET', headers }: IncomingMessage, object: URL): Promise<IncomingMessage> => {
    const { query = {} } = await signer.presign(
      {
        // S3 answers a preflight for whoever might send the request after it.
        method: method === 'OPTIONS' ? 'GET' : method,
        protocol: object.protocol,
        hostname: object.hostname,
        path: object.pathname,
        headers: { host: object.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      },
      { expiresIn: SECONDS, signingDate: now() },
    );
    const signed = new URL(object);
    for (const [name, value] of Object.entries(query)) signed.searchParams.set(name, String(value));
    const passedOn = Object.entries(headers).filter(([name]) => PASSED_ON.test(name));
    return new Promise((resolve, reject) => {
      openRequest(signed, { method, headers: Object.fromEntries(passedOn) })
        .on('response', resolve)
        .on('error', reject)
        .end();
    });
  };
}
