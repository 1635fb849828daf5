import { S3Client } from '@aws-sdk/client-s3';
import { answeringWithin, Sha256 } from './client-settings.ts';

/** For everything but writing what arrives as a stream; `object-upload` does that without it. */
export function createS3Client(settings: ConstructorParameters<typeof S3Client>[0] = {}): S3Client {
  return new S3Client({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: answeringWithin(5_000),
    ...settings,
  });
}

export const s3 = /* @__PURE__ */ createS3Client();

/** @param region undefined for the stage's own */
export const s3In = (region: string | undefined): S3Client =>
  region === undefined ? s3 : createS3Client({ region });
