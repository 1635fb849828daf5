import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { SiteFile } from '../site.ts';

/** Without the right to list a bucket, S3 says AccessDenied of an object that does not exist. */
const MISSING = ['NoSuchKey', 'AccessDenied'];

/** The bytes of an object; undefined where there is none. */
export async function openIfThere(
  client: S3Client,
  Bucket: string,
  Key: string,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return Body?.transformToWebStream() ?? new ReadableStream();
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.includes(error.name)) return undefined;
    throw error;
  }
}

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
    if (failure !== undefined)
      throw new Error(`${failure.Key} was not deleted from ${bucket}: ${failure.Code}`);
  }
}

/**
 * Puts the files of a site into a bucket in their order, so that a page comes after the files that it loads. Old files
 * stay: pages that are open in a browser may still ask for them.
 */
export async function publishSite(
  client: S3Client,
  bucket: string,
  files: readonly SiteFile[],
): Promise<void> {
  for (const { key, body, content_type, cache_control } of files) {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: body,
        ContentType: content_type,
        CacheControl: cache_control,
      }),
    );
  }
}
