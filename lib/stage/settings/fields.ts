import * as v from 'valibot';

/** A setting with its text for docs/configuration.md. */
export const told = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));

export const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Object Lock holds an object for 100 years at most: the CDK refuses more. */
export const lockDays = v.pipe(count, v.maxValue(36_500));

/** Lambda's limits for the concurrency of a queue's consumer. */
export const consumers = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000));

export const requestRate = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60_000));

/** WAF counts from 10 requests a minute up to 2,000,000: developer guide, "Rate-based rule statements". */
export const addressRate = v.pipe(v.number(), v.integer(), v.minValue(10), v.maxValue(2_000_000));

export const imageByDigest = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9][a-z0-9._/:-]*@sha256:[0-9a-f]{64}$/,
    'must be an image with its digest, such as registry/node:24-slim@sha256:…',
  ),
);

export const bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const stageName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z][a-z0-9-]{0,19}$/,
    'must be a lowercase name of at most 20 characters: a letter, then letters, digits or hyphens',
  ),
);

export const accountId = v.pipe(v.string(), v.regex(/^\d{12}$/, 'must be an AWS account ID of 12 digits'));

export const regionName = v.pipe(
  v.string(),
  v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-central-1'),
);

export const hostEntry = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be a lowercase host or host:port, such as 127.0.0.1:9000'),
);

export const hostName = v.pipe(
  v.string(),
  v.regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
    'must be a lowercase host name, such as api.example.com',
  ),
);

export const url = v.pipe(v.string(), v.url('must be a URL'));

const ORIGIN = /^https:\/\/[\w.-]+(:\d{1,5})?$/;
export const origin = v.pipe(v.string(), v.regex(ORIGIN, 'must be an https URL without a path'));

const CALLBACKS_RULE = 'must be on, off or an https URL without a path';
export const callbacks = v.union(
  [v.picklist(['on', 'off']), v.pipe(v.string(), v.regex(ORIGIN, CALLBACKS_RULE))],
  CALLBACKS_RULE,
);

export const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits'));

/** A CDK app may pass what it creates itself: a token, whose value only the deployment knows. */
const TOKEN = String.raw`\$\{Token\[.+\]\}`;
const orToken = (pattern: string, message: string) =>
  v.pipe(v.string(), v.regex(new RegExp(`^(${pattern}|${TOKEN})$`), message));

/** CloudFront takes certificates and web ACLs only from this region. */
export const edgeArn = (service: string, resource: string) =>
  orToken(
    String.raw`arn:aws[\w-]*:${service}:us-east-1:\d{12}:${resource}/.+`,
    `must be the ARN of a ${resource} of ${service} in us-east-1`,
  );

export const arn = (service: string, resource: string) =>
  orToken(
    String.raw`arn:aws[\w-]*:${service}:[a-z0-9-]*:(\d{12}|aws):${resource}/.+`,
    `must be the ARN of a ${resource} of ${service}`,
  );

/** S3's rules: user guide, "Bucket naming rules". */
export const bucketName = orToken('[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]', 'must be the name of a bucket');

export const hostedZoneId = orToken(
  'Z[A-Z0-9]{1,31}',
  'must be the ID of a hosted zone, such as Z0123456789ABCDEFGHIJ',
);

/** A stack's name consists of it and the stage's name. */
export const namePrefix = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z][A-Za-z0-9-]{0,29}$/,
    'must begin with a letter, and have at most 30 letters, digits and hyphens',
  ),
);

const resourceId = (prefix: string) =>
  orToken(`${prefix}-[0-9a-f]{8,17}`, `must be an ID, such as ${prefix}-0123abcd`);

export const vpcId = resourceId('vpc');

/** They must be in different zones, because a load balancer needs that. */
export const subnets = v.pipe(v.array(resourceId('subnet')), v.minLength(2, 'must be two subnets or more'));

/** AWS reserves names that begin with `aws:`, and allows 50 tags on a resource; two of them are ours. */
export const tags = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.regex(
        /^(?!aws:)[\w .:/=+@-]{1,128}$/i,
        'must be at most 128 ASCII letters, digits, spaces and _.:/=+@-, and must not begin with aws:',
      ),
    ),
    v.pipe(
      v.string(),
      v.regex(/^[\w .:/=+@-]{0,256}$/, 'must be at most 256 ASCII letters, digits, spaces and _.:/=+@-'),
    ),
  ),
  v.check((all) => Object.keys(all).length <= 40, 'must have at most 40 tags'),
);

const topic = orToken(
  String.raw`arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}`,
  'must be the ARN of an SNS topic',
);

/** Where alarms go. SNS asks an email address or an https address to confirm first. */
export const alarmTarget = v.union(
  [v.pipe(v.string(), v.email()), v.pipe(v.string(), v.startsWith('https://'), v.url()), topic],
  'must be an email address, an https URL or the ARN of an SNS topic',
);
