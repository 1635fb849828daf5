import { DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';

/**
 * Deletes all objects of a bucket and all their versions.
 * @throws Error where something stays
 */
export async function emptyBucket(client: S3Client, bucket: string): Promise<void> {
  for (;;) {
    // Always the first page: what it names is gone before the next request.
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket }),
    );
    const objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (objects.length === 0) return;
    const { Errors: [failure] = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
    );
    if (failure !== undefined) throw new Error(`${bucket} keeps ${failure.Key}: ${failure.Code}`);
  }
}
