import * as v from 'valibot';
import { ROW_DAYS } from '../../../functions/videos/jobs/job.ts';
import { retentionDays } from '../../../functions/workspaces/retention-days.ts';
import * as field from './fields.ts';
import { told } from './fields.ts';

export const place = {
  account: v.exactOptional(
    told(
      field.accountId,
      'The AWS account of the stage; a deployment to another account is refused. A stage that keeps its data must name it.',
    ),
  ),
  region: v.exactOptional(
    told(
      field.regionName,
      'The region of the stage. A stage that keeps its data must name it. In some regions the upload server needs it to avoid zones that CloudFront does not support.',
    ),
  ),
  platform: v.optional(
    told(
      v.picklist(['aws', 'emulator']),
      '`emulator` leaves out what the emulator’s CloudFormation does not support: composite alarms, alarms on several metrics, saved queries, the steps of gradual deployments. It also makes the timeouts of AWS calls four times as long.',
    ),
    'aws',
  ),
  tags: v.optional(told(field.tags, 'Tags of every resource, besides `service` and `stage`.'), {}),
};

const GIBIBYTE = 1024 ** 3;

export const data = {
  data: v.optional(
    told(
      v.picklist(['retain', 'destroy']),
      'What happens to tables, buckets and keys when the stack is deleted. With `retain` CloudFormation keeps them, and tables and the stack are protected against deletion. With `destroy` all of them are deleted, full buckets too.',
    ),
    'retain',
  ),
  keepsOldIndexes: v.optional(
    told(
      v.boolean(),
      'For an update from a version with other indexes: deploy once with this setting and once without, because CloudFormation creates or deletes only one index of a table at a time.',
    ),
    false,
  ),
  multiRegionKeys: v.optional(
    told(
      v.boolean(),
      'Makes KMS keys that can be replicated to another region, so that provider keys and webhook secrets survive the loss of one region. AWS fixes this when a key is created: a later change fails the deployment.',
    ),
    false,
  ),
  objectVersionDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
      'For how many days a deleted or replaced object can still be restored from its bucket, by hand. With 0 it is deleted at once.',
    ),
    0,
  ),
  storageQuotaBytes: v.optional(
    told(field.bytes, 'How much storage the files of one workspace may use in total.'),
    10 * GIBIBYTE,
  ),
  resultDays: v.optional(
    told(
      retentionDays,
      'For how many days a completed job’s video is kept, unless its workspace has its own setting.',
    ),
    30,
  ),
  generationLogDays: v.optional(
    told(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(ROW_DAYS)),
      'For how many days the private log of a generation is kept, for workspaces that have logging on. At most as long as its job’s row.',
    ),
    30,
  ),
};
