import { S3Client } from '@aws-sdk/client-s3';

/** An answer must begin within this time; a stalled S3 must not hold requests for ever. */
const REQUEST_MILLISECONDS = 20_000;
const CONNECT_MILLISECONDS = 1_000;

/** For everything but the bytes of objects that come in as streams: those go past it, see `object-upload`. */
export function createS3Client(settings: ConstructorParameters<typeof S3Client>[0] = {}): S3Client {
  const requestHandler = {
    connectionTimeout: CONNECT_MILLISECONDS,
    requestTimeout: REQUEST_MILLISECONDS,
    throwOnRequestTimeout: true,
  };
  return new S3Client({ maxAttempts: 3, requestHandler, ...settings });
}

export const s3 = /* @__PURE__ */ createS3Client();
