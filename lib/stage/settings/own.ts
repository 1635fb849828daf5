import * as v from 'valibot';
import * as field from './fields.ts';
import { told } from './fields.ts';

/** What a deployer's organization already has or asks for. */
export const own = {
  own: v.optional(
    told(
      v.strictObject({
        namePrefix: v.optional(
          told(
            field.namePrefix,
            'The prefix of all names that Genway chooses: those of the stack, its tables, buckets and log groups, dashboards, saved queries, the API and CloudFront’s keys. If you change it, you create another, empty stage. Metrics stay below `Genway/<stage>`.',
          ),
          'Genway',
        ),
        permissionsBoundaryArn: v.exactOptional(
          told(field.arn('iam', 'policy'), 'The permissions boundary of every role that the stage creates.'),
        ),
        dataKeyArn: v.exactOptional(
          told(
            field.arn('kms', 'key'),
            'A symmetric KMS key that encrypts tables and buckets, instead of AWS’s own keys. Queues hold only ids, and keep SQS’s key. The key’s policy must let the account’s roles use it and, with an edge, CloudFront decrypt with it.',
          ),
        ),
        logKeyArn: v.exactOptional(
          told(
            field.arn('kms', 'key'),
            'A symmetric KMS key that encrypts the log groups. Its policy must let CloudWatch Logs use it.',
          ),
        ),
        accessLogBucket: v.exactOptional(
          told(
            field.bucketName,
            'A bucket in the stage’s region and account for the access logs of its buckets and its load balancer, below `<stack>/`. Its policy must let S3 and the load balancer write there.',
          ),
        ),
        hostedZoneId: v.exactOptional(
          told(
            field.hostedZoneId,
            'The Route 53 zone of `domain`. The stage then creates the DNS records. In us-east-1 it also creates the certificate, unless `domain.certificateArn` is set.',
          ),
        ),
      }),
      'Resources that your organization provides or prescribes. Your own network, firewall, alarm topics and tags have separate settings: `vpc`, `webAclArn`, `alarms`, `tags`.',
    ),
    {},
  ),
};
