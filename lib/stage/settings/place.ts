import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const place = {
  account: v.exactOptional(
    told(
      field.accountId,
      'The AWS account that the stage is deployed to, and no other. A stage that keeps its data must name it.',
    ),
  ),
  region: v.exactOptional(
    told(
      field.regionName,
      'The region that it is deployed to. A stage that keeps its data must name it; in some regions it is what keeps the upload server out of zones that CloudFront does not reach.',
    ),
  ),
  platform: v.optional(
    told(
      v.picklist(['aws', 'emulator']),
      '`emulator` leaves out what the emulator’s CloudFormation does not know: alarms made of alarms, saved queries, gradual deployments. It gives AWS four times as long to answer.',
    ),
    'aws',
  ),
  tags: v.optional(told(field.tags, 'Tags of every resource, besides `service` and `stage`.'), {}),
};
