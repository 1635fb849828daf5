import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';

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
