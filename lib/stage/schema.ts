import * as v from 'valibot';
import { providerBaseUrlsSchema } from '../../functions/files/providers/base-urls.ts';
import { shareSchema } from '../../functions/money/discount.ts';
import { retentionDays } from '../../functions/retention-days.ts';
import { ROW_DAYS } from '../../functions/videos/jobs/job-machine.ts';
import { wireNamesSchema } from '../../functions/wire-names.ts';
import * as field from './fields.ts';
import { videoSettingsSchema } from './video-settings.ts';

const GIBIBYTE = 1024 ** 3;

/** A setting, and what docs/configuration.md says of it. */
const told = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));

const place = {
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
      '`emulator` leaves out what the emulator’s CloudFormation does not know: alarms made of alarms, saved queries, gradual deployments.',
    ),
    'aws',
  ),
  tags: v.optional(told(field.tags, 'Tags of every resource, besides `service` and `stage`.'), {}),
};

const data = {
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

const edge = {
  edge: v.optional(
    told(
      v.picklist(['cloudfront', 'none']),
      'What stands in front of the API: a CloudFront distribution of this stack, or nothing, where something else does. Without it callers use API Gateway’s own address.',
    ),
    'cloudfront',
  ),
  domain: v.exactOptional(
    told(
      v.strictObject({
        name: told(
          field.hostName,
          'The name that callers use. You point it at the edge (output `EdgeDomain`). Without it they use the edge’s own name, which lasts as long as the distribution and takes TLS 1.0.',
        ),
        certificateArn: v.exactOptional(
          told(field.edgeArn('acm', 'certificate'), 'Its certificate, for CloudFront: in us-east-1.'),
        ),
      }),
      'The stage’s own name.',
    ),
  ),
  console: v.optional(
    told(
      v.boolean(),
      'Whether the edge serves the console, at `/console`: static pages that call the API with the key that one signs in with. Another edge than this stack’s serves none.',
    ),
    true,
  ),
  webAclArn: v.exactOptional(
    told(
      field.edgeArn('wafv2', 'global/webacl'),
      'A firewall of yours before the edge, in place of ours: in us-east-1.',
    ),
  ),
  addressRequestsPerMinute: v.exactOptional(
    told(
      field.addressRate,
      'What one address may ask of CloudFront in a minute, with a key or without. The firewall that counts costs about 6 USD a month, and CloudFormation makes it in us-east-1 alone.',
    ),
  ),
  edgeSecretGeneration: v.optional(
    told(
      field.count,
      'One more, and the edge proves itself by a new secret; the one before is good until the next.',
    ),
    1,
  ),
  edgeSecretSha256: v.optional(
    told(
      v.array(field.sha256),
      'The SHA-256, in hex, of secrets by which an edge of your own proves itself: it sends one as `x-genway-edge`, and is the only way in then.',
    ),
    [],
  ),
  throttle: v.optional(
    told(
      v.strictObject({
        requestsPerSecond: told(field.count, 'On average.'),
        burst: told(field.count, 'At once.'),
      }),
      'How much of the account’s capacity requests to this stage may take, authenticated or not.',
    ),
    { requestsPerSecond: 1_000, burst: 2_000 },
  ),
};

const uploads = {
  largeUploads: v.optional(
    told(
      v.picklist(['fargate', 'off']),
      'Files over 4 MiB: a server on Fargate, or a 413 that names that limit.',
    ),
    'fargate',
  ),
  uploadTasks: v.optional(
    told(
      v.pipe(
        v.strictObject({ min: told(field.count, 'When idle.'), max: told(field.count, 'Under load.') }),
        v.check(({ min, max }) => min <= max, 'min must be at most max'),
      ),
      'How many tasks receive large uploads: from two on they are in two zones.',
    ),
    { min: 1, max: 10 },
  ),
  uploadBaseImage: v.exactOptional(
    told(
      field.imageByDigest,
      'What the image of the upload server is built on: a Node.js 24 for arm64, by its digest, so that nobody can put another in its place. Else the newest `node:24-slim` of ECR’s public gallery as the image is built.',
    ),
  ),
  vpc: v.exactOptional(
    told(
      v.strictObject({
        id: told(field.vpcId, 'It must have an internet gateway, as CloudFront refuses a VPC without one.'),
        availabilityZones: told(
          v.pipe(v.array(v.string()), v.minLength(2)),
          'Of the subnets, in their order.',
        ),
        serverSubnets: told(
          field.subnets,
          'Where the tasks are. They need a way to S3, DynamoDB, ECR and CloudWatch Logs.',
        ),
        loadBalancerSubnets: told(
          field.subnets,
          'Where the load balancer is; without a way from the internet.',
        ),
        publicAddresses: v.optional(
          told(
            v.boolean(),
            'Whether the tasks get public addresses: for subnets without a NAT gateway or endpoints.',
          ),
          false,
        ),
      }),
      'A network of yours for the upload server. Without it the stack makes one, which holds nothing else.',
    ),
  ),
};

const operations = {
  logRetentionDays: v.optional(
    told(v.picklist([1, 7, 14, 30, 90, 365]), 'For how many days logs are kept.'),
    90,
  ),
  logLevel: v.optional(
    told(
      v.picklist(['DEBUG', 'INFO', 'WARN', 'ERROR']),
      'What functions log, besides a line for each request, which is also its metric.',
    ),
    'INFO',
  ),
  accessLog: v.optional(
    told(
      v.boolean(),
      'A line for each request that reaches API Gateway, answered by a function or not. It needs, and sets, the account’s role for such logs.',
    ),
    true,
  ),
  tracing: v.optional(
    told(
      v.boolean(),
      'X-Ray traces of requests, from API Gateway through the functions. AWS bills each trace that it records.',
    ),
    false,
  ),
  alarms: v.optional(
    told(
      v.strictObject({
        page: v.optional(
          told(v.array(field.alarmTarget), 'Who is woken up: callers are hurt now, or data is at risk.'),
          [],
        ),
        ticket: v.optional(told(v.array(field.alarmTarget), 'Who looks at it in working hours.'), []),
      }),
      'Who is told of alarms: email addresses, https addresses, ARNs of SNS topics. Each list has a topic of its own.',
    ),
    { page: [], ticket: [] },
  ),
  deployments: v.optional(
    told(
      v.picklist(['all-at-once', 'canary']),
      'How new code of the API, the poller and the deliverer takes over: at once, or a tenth of the calls for five minutes, and back by itself where an alarm fires meanwhile.',
    ),
    'all-at-once',
  ),
};

const load = {
  requestsPerMinute: v.optional(
    told(
      v.strictObject({
        upload: told(field.requestRate, 'Uploads.'),
        submit: told(field.requestRate, 'Submits of videos.'),
        read: told(field.requestRate, 'Whatever only reads.'),
        admin: told(field.requestRate, 'Changes with a management key.'),
      }),
      'What a key may do a minute in each class of operations, unless it has rates of its own.',
    ),
    { upload: 60, submit: 60, read: 600, admin: 120 },
  ),
  pollerConcurrency: v.optional(
    told(
      field.consumers,
      'How many pollers work at once; the first limit on what all providers together are asked for.',
    ),
    50,
  ),
  copierConcurrency: v.optional(
    told(
      field.consumers,
      'How many results are copied at once: each copier is at one, for 15 minutes at most.',
    ),
    50,
  ),
  delivererConcurrency: v.optional(
    told(
      field.consumers,
      'How many deliverers of webhooks work at once. One workspace gets half of them at most.',
    ),
    50,
  ),
  reservedConcurrency: v.optional(
    told(
      v.strictObject({
        poller: v.exactOptional(told(field.consumers, 'At least `pollerConcurrency`.')),
        copier: v.exactOptional(told(field.consumers, 'At least `copierConcurrency`.')),
        deliverer: v.exactOptional(told(field.consumers, 'At least `delivererConcurrency`.')),
      }),
      'What of the account’s concurrency is kept for the consumers alone, so that no flood of requests starves them. A new account has 10 in all, of which none can be kept.',
    ),
    {},
  ),
};

const providers = {
  videos: v.optional(told(videoSettingsSchema, 'What the stage offers.'), {}),
  dataDiscount: v.optional(
    told(
      shareSchema,
      'The share that is taken off the prices of workspaces with `is_data_discount_logging_enabled`: 0.1 is a tenth. Jobs on provider keys of their own cost what they cost.',
    ),
    0,
  ),
  providerBaseUrls: v.optional(
    told(
      providerBaseUrlsSchema,
      'Where files with `provider=` go: another address than the vendors’ own must be public, or an allowed host.',
    ),
    {},
  ),
  wireNames: v.optional(
    told(wireNamesSchema, '`openrouter`: webhooks carry that service’s signature and idempotency key too.'),
    'native',
  ),
  allowedPrivateHosts: v.optional(
    told(
      v.array(field.hostEntry),
      'Hosts that webhooks and result downloads may reach although they are not public https: for your own receivers in a closed test. Each entry opens that host to every caller.',
    ),
    [],
  ),
};

/** The settings by what they are about, as docs/configuration.md lists them. */
export const settingGroups = {
  'Where it is': place,
  'What it keeps': data,
  'The way in': edge,
  'Large uploads': uploads,
  'Running it': operations,
  'How much': load,
  Providers: providers,
};

export const settingEntries = {
  ...place,
  ...data,
  ...edge,
  ...uploads,
  ...operations,
  ...load,
  ...providers,
};
