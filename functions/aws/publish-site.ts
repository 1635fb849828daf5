import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { SiteFile } from '../site.ts';

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
