import { describeMultipart } from './s3/multipart.ts';
import { describeObjects } from './s3/objects.ts';
import type { S3UnderTest } from './s3/own-bucket.ts';

/** What Genway's code takes for granted of S3. */
export function describeS3(connect: () => S3UnderTest): void {
  describeObjects(connect);
  describeMultipart(connect);
}
