import * as v from 'valibot';
import { ROW_DAYS } from '../../../functions/videos/jobs/job.ts';
import { retentionDays } from '../../../functions/workspaces/retention-days.ts';
import * as field from './fields.ts';
import { told } from './fields.ts';

export const place = {
  account: v.exactOptional(
    told(
      field.accountId,
      'The AWS account of the stage. Genway refuses a deployment to another account. Required for a stage that keeps its data.',
    ),
  ),
  region: v.exactOptional(
    told(
      field.regionName,
      'The region of the stage. Required for a stage that keeps its data. In some regions the upload server needs it to avoid zones that CloudFront does not support.',
    ),
  ),
  platform: v.optional(
    told(
      v.picklist(['aws', 'emulator']),
      '`emulator` leaves out what the emulator’s CloudFormation does not support: composite alarms, alarms on several metrics, saved queries and the steps of gradual deployments. It also makes the timeouts of AWS calls four times as long.',
    ),
    'aws',
  ),
  tags: v.optional(told(field.tags, 'Tags for every resource, in addition to `service` and `stage`.'), {}),
};

const GIBIBYTE = 1024 ** 3;

export const data = {
  data: v.optional(
    told(
      v.picklist(['retain', 'destroy']),
      'What happens to tables, buckets and keys when the stack is deleted. With `retain`, CloudFormation keeps them, and protects the tables and the stack against deletion. With `destroy`, CloudFormation deletes all of them, even buckets with objects.',
    ),
    'retain',
  ),
  keepsOldIndexes: v.optional(
    told(
      v.boolean(),
      'For an upgrade from a version with different indexes: deploy once with this setting and once without it, because CloudFormation creates or deletes only one index of a table at a time.',
    ),
    false,
  ),
  multiRegionKeys: v.optional(
    told(
      v.boolean(),
      'Whether the KMS keys can be replicated to another region, so that provider keys and webhook secrets survive the loss of one region. You cannot change it after the first deployment: a later change fails the deployment.',
    ),
    false,
  ),
  objectVersionDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
      'Number of days for which you can still restore a deleted or replaced object from its bucket, by hand. With 0, S3 deletes it immediately.',
    ),
    0,
  ),
  storageQuotaBytes: v.optional(
    told(field.bytes, 'Storage quota for the files of one workspace.'),
    10 * GIBIBYTE,
  ),
  resultDays: v.optional(
    told(
      retentionDays,
      'Number of days to keep the video of a completed job, unless its workspace has its own setting.',
    ),
    30,
  ),
  generationLogDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(ROW_DAYS)),
      `Number of days to keep the private log of a generation, for workspaces that have logging on. At most ${ROW_DAYS}, because Genway deletes the job after that.`,
    ),
    30,
  ),
};
