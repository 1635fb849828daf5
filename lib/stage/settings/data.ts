import * as v from 'valibot';
import { retentionDays } from '../../../functions/retention-days.ts';
import { ROW_DAYS } from '../../../functions/videos/jobs/job-outcome.ts';
import * as field from '../fields.ts';
import { told } from '../told.ts';

const GIBIBYTE = 1024 ** 3;

export const data = {
  data: v.optional(
    told(
      v.picklist(['retain', 'destroy']),
      'What becomes of tables, buckets and keys when the stack is deleted. With `retain` CloudFormation keeps them, tables and the stack are protected against deletion. With `destroy` all of it goes, full buckets too.',
    ),
    'retain',
  ),
  keepsOldIndexes: v.optional(
    told(
      v.boolean(),
      'For the first of two deployments over a version whose indexes this one has replaced: CloudFormation makes or deletes one index of a table at a time.',
    ),
    false,
  ),
  multiRegionKeys: v.optional(
    told(
      v.boolean(),
      'KMS keys that can be replicated to another region, so that provider keys and webhook secrets outlive the loss of one. AWS fixes this when a key is made: a later change stops the deployment.',
    ),
    false,
  ),
  objectVersionDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
      'For how many days a deleted or replaced object can still be brought back from its bucket, by hand. 0: it is gone at once.',
    ),
    0,
  ),
  storageQuotaBytes: v.optional(
    told(field.bytes, 'What the files of one workspace may take in all.'),
    10 * GIBIBYTE,
  ),
  resultDays: v.optional(
    told(
      retentionDays,
      'For how many days a completed job’s video is kept, where its workspace has no wish of its own.',
    ),
    30,
  ),
  generationLogDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(ROW_DAYS)),
      'For how many days what is logged of a generation is kept, for workspaces that log theirs. At most as long as its job’s row.',
    ),
    30,
  ),
};
