import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

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
      '`emulator` leaves out what the emulator’s CloudFormation does not support: composite alarms, saved queries, gradual deployments. It also makes the timeouts of AWS calls four times as long.',
    ),
    'aws',
  ),
  tags: v.optional(told(field.tags, 'Tags of every resource, besides `service` and `stage`.'), {}),
};
