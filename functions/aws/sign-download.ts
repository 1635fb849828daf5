import { GetObjectCommand, type GetObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

const SECONDS = 300;

/** A link that works without a credential until it expires. */
export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A link to one object, valid for a while from `now`; it answers ranges. */
export async function signDownload(
  client: S3Client,
  object: GetObjectCommandInput,
  now: Date,
  seconds = SECONDS,
): Promise<SignedLink> {
  const options = { expiresIn: seconds, signingDate: now };
  const url = await getSignedUrl(client, new GetObjectCommand(object), options);
  return { url, expiresAt: new Date(now.getTime() + seconds * 1000) };
}
