import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { publishSite } from '../../aws/buckets.ts';
import { onceAllowed } from '../../aws/retry.ts';
import { s3 } from '../../aws/s3.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { setting } from '../../environment.ts';
import { SITE, siteSchema } from '../../site.ts';
import { log } from '../../telemetry/logger.ts';
import { customResource } from './custom-resource.ts';

const bucket = setting('consoleBucket');

/** Puts the console into its bucket during a deployment; `lib/console/` has put its files beside this program. */
export const handler = customResource(
  async () => {
    const files = v.parse(siteSchema, readFileSync(new URL(`./${SITE}`, import.meta.url), 'utf8'));
    // The right to write may be of the same deployment.
    await onceAllowed(() => publishSite(s3, bucket, files), pause);
    return {};
  },
  { fetch: deployedEgress(10_000), log },
);
