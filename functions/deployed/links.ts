import { memoize } from '@smithy/core/config';
import * as v from 'valibot';
import { ownRole } from '../aws/own-role.ts';
import { linkKey } from '../downloads/link-key.ts';
import { edgeLinks, type MakeLink, s3Links } from '../downloads/links.ts';
import { setting } from '../environment.ts';

/** Links to what a bucket holds: through the edge where the stage has one, and otherwise to S3. */
export function deployedLinks(bucket: 'filesBucket' | 'resultsBucket'): MakeLink {
  const url = setting('downloadsUrl', v.optional(v.string()));
  if (url === undefined) return s3Links(ownRole(), setting(bucket));
  return edgeLinks({ url, keyPairId: setting('downloadsKeyPair'), key: derivedKey() });
}

const generationSchema = v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1));

/** The key is derived once, for the first links: many requests of a new function need none. A failure is tried again. */
function derivedKey() {
  const keyId = setting('downloadsKeyId');
  const generation = setting('downloadsKeyGeneration', generationSchema);
  return memoize(async () => {
    const [{ kms }, { kmsDerivation }] = await Promise.all([
      import('../aws/kms.ts'),
      import('../aws/derive-bytes.ts'),
    ]);
    return linkKey(kmsDerivation(kms, keyId), generation);
  });
}
