import { describeMultipart } from './s3/multipart.ts';
import { describeObjects } from './s3/objects.ts';
import type { S3UnderTest } from './s3/own-bucket.ts';

/** The behaviour of S3 on which Genway's code depends. */
export function describeS3(connect: () => S3UnderTest): void {
  describeObjects(connect);
  describeMultipart(connect);
}
