import { S3Client } from '@aws-sdk/client-s3';

/** Checksums only where an operation requires one: the SDK's default costs a pass over every upload. */
export const s3 = new S3Client({ maxAttempts: 3, requestChecksumCalculation: 'WHEN_REQUIRED' });
