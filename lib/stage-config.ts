import * as v from 'valibot';
import { providerBaseUrlsSchema } from '../functions/files/providers/base-urls.ts';
import { retentionDays } from '../functions/retention-days.ts';
import { wireNamesSchema } from '../functions/wire-names.ts';
import { readVideoSettings, videoSettingsSchema } from './video-settings.ts';

const hostEntry = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be a host or host:port, such as 127.0.0.1:9000'),
);

/** What Lambda takes as the concurrency of a queue's consumer. */
const consumers = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000));
const requestRate = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60_000));

const hostName = v.pipe(
  v.string(),
  v.regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
    'must be a host name, such as api.example.com',
  ),
);

/** CloudFront takes certificates and web ACLs from this region alone. */
const edgeArn = (service: string, resource: string) =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^arn:aws[\\w-]*:${service}:us-east-1:\\d{12}:${resource}/.+$`),
      `must be an ARN of ${service} in us-east-1`,
    ),
  );

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));

/** What may differ from stage to stage. Nothing else in the app asks which stage it is. */
export const stageConfigSchema = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be a short lower-case name')),
    /** Where the stage is deployed and nowhere else. @default where the deployer's credentials lead */
    account: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{12}$/, 'must be an account of 12 digits'))),
    region: v.exactOptional(
      v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-central-1')),
    ),
    /** What becomes of tables, buckets and keys when the stack is deleted. */
    data: v.picklist(['retain', 'destroy']),
    logRetentionDays: v.picklist([1, 7, 14, 30, 90, 365]),
    logLevel: v.picklist(['DEBUG', 'INFO', 'WARN', 'ERROR']),
    /**
     * Hosts that webhooks and result downloads may reach although they are not public https: for the
     * deployer's own receivers in a closed test. Each entry opens that host to every caller.
     */
    allowedPrivateHosts: v.array(hostEntry),
    /**
     * What stands in front of the API: a CloudFront distribution of this stack, or nothing, where something else
     * does. Without it callers use API Gateway's own address.
     */
    edge: v.picklist(['cloudfront', 'none']),
    /**
     * The name that callers use, which the deployer points at the edge, and its certificate.
     * @default the edge's own name, which lasts as long as the distribution, and takes TLS 1.0
     */
    domain: v.exactOptional(
      v.strictObject({ name: hostName, certificateArn: v.exactOptional(edgeArn('acm', 'certificate')) }),
    ),
    /** A firewall before the edge, in place of ours. @default `addressRequestsPerMinute` has one made */
    webAclArn: v.exactOptional(edgeArn('wafv2', 'global/webacl')),
    /**
     * What one address may ask of CloudFront in a minute, with a key or without. The firewall that counts costs about
     * 6 USD a month, and CloudFormation makes it in us-east-1 alone. @default no limit
     */
    addressRequestsPerMinute: v.exactOptional(
      v.pipe(v.number(), v.integer(), v.minValue(10), v.maxValue(2_000_000)),
    ),
    /** One more, and the edge proves itself by a new secret; the one before is good until the next. */
    edgeSecretGeneration: v.optional(positive, 1),
    /**
     * The SHA-256, in hex, of secrets by which an edge of the deployer's own proves itself: it sends one as
     * `x-genway-edge`, and is the only way in then.
     */
    edgeSecretSha256: v.optional(
      v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'))),
      [],
    ),
    /** How much of the account's capacity requests to this stage may take, authenticated or not. */
    throttle: v.strictObject({ requestsPerSecond: positive, burst: positive }),
    /** A line for each request that reaches API Gateway. It needs, and sets, the account's role for such logs. */
    accessLog: v.boolean(),
    /** Files over 4 MiB: a server on Fargate, which costs about 27 USD a month idle, or a 413 that names that limit. */
    largeUploads: v.picklist(['fargate', 'off']),
    /** How many tasks receive large uploads: from two on they are in two zones. */
    uploadTasks: v.optional(
      v.pipe(
        v.strictObject({ min: positive, max: positive }),
        v.check(({ min, max }) => min <= max, 'min must be at most max'),
      ),
      { min: 1, max: 10 },
    ),
    /**
     * What the image of the upload server is built on: a Node.js 24 for arm64, by its digest, so that nobody can put
     * another in its place. @default the newest `node:24-slim` of ECR's public gallery as the image is built
     */
    uploadBaseImage: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(
          /^[a-z0-9][a-z0-9._/:-]*@sha256:[0-9a-f]{64}$/,
          'must be an image by its digest, such as registry/node:24-slim@sha256:…',
        ),
      ),
    ),
    /** What the files of one workspace may take in all. */
    storageQuotaBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    /** For how many days a completed job's video is kept, where its workspace has no wish of its own. */
    resultDays: retentionDays,
    /** What a key may do a minute in each class of operations, unless it has rates of its own. */
    requestsPerMinute: v.strictObject({
      upload: requestRate,
      submit: requestRate,
      read: requestRate,
      admin: requestRate,
    }),
    /** `openrouter`: webhooks carry that service's signature and idempotency key too. */
    wireNames: wireNamesSchema,
    /** How many pollers work at once; the first limit on what all providers together are asked for. */
    pollerConcurrency: consumers,
    /** How many results are copied at once: each copier is at one, for 15 minutes at most. */
    copierConcurrency: consumers,
    /** How many deliverers of webhooks work at once. One workspace gets half of them at most. */
    delivererConcurrency: consumers,
    /**
     * What of the account's concurrency is kept for the consumers alone, so that no flood of requests starves them.
     * @default nothing: a new account has 10 in all, of which none can be kept
     */
    reservedConcurrency: v.optional(
      v.strictObject({
        poller: v.exactOptional(consumers),
        copier: v.exactOptional(consumers),
        deliverer: v.exactOptional(consumers),
      }),
      {},
    ),
    /** Where files with `provider=` go: another address than the vendors' own must be public, or an allowed host. */
    providerBaseUrls: v.optional(providerBaseUrlsSchema, {}),
    /** `config/videos.<stage>.json` takes the place of what a stage says here. */
    videos: v.optional(videoSettingsSchema, {}),
  }),
  v.check(
    (config) => config.name !== 'prod' || config.allowedPrivateHosts.length === 0,
    'allowedPrivateHosts: must be empty in prod',
  ),
  v.check(
    (config) => config.largeUploads === 'off' || config.edge === 'cloudfront',
    'largeUploads: only CloudFront reaches the server, so edge must be "cloudfront"',
  ),
  v.check(
    ({ edge, domain }) => edge === 'none' || domain === undefined || domain.certificateArn !== undefined,
    'domain: the edge needs a certificateArn for it',
  ),
  v.check(
    ({ edge, domain, webAclArn, addressRequestsPerMinute }) =>
      edge === 'cloudfront' ||
      [domain?.certificateArn, webAclArn, addressRequestsPerMinute].every((value) => value === undefined),
    'domain.certificateArn, webAclArn, addressRequestsPerMinute: are for CloudFront, so edge must be "cloudfront"',
  ),
  v.check(
    ({ edge, edgeSecretSha256 }) => edge === 'none' || edgeSecretSha256.length === 0,
    'edgeSecretSha256: CloudFront has a secret of its own, so edge must be "none"',
  ),
  v.check(
    ({ reservedConcurrency: { poller, copier, deliverer }, ...config }) =>
      (poller ?? Number.POSITIVE_INFINITY) >= config.pollerConcurrency &&
      (copier ?? Number.POSITIVE_INFINITY) >= config.copierConcurrency &&
      (deliverer ?? Number.POSITIVE_INFINITY) >= config.delivererConcurrency,
    'reservedConcurrency: must be at least the concurrency of the same consumer, or batches are thrown back',
  ),
);
export type StageConfig = Readonly<v.InferOutput<typeof stageConfigSchema>>;

const GIBIBYTE = 1024 ** 3;

/** Anyone can try a stage that names it, without a provider's key. */
const WITH_SANDBOX = { providers: { sandbox: {} } };

const stages: Record<string, v.InferInput<typeof stageConfigSchema>> = {
  dev: {
    name: 'dev',
    data: 'destroy',
    logRetentionDays: 7,
    logLevel: 'DEBUG',
    allowedPrivateHosts: [],
    edge: 'cloudfront',
    throttle: { requestsPerSecond: 100, burst: 200 },
    accessLog: true,
    largeUploads: 'fargate',
    uploadTasks: { min: 1, max: 4 },
    storageQuotaBytes: 10 * GIBIBYTE,
    resultDays: 30,
    requestsPerMinute: { upload: 60, submit: 60, read: 600, admin: 120 },
    wireNames: 'native',
    pollerConcurrency: 5,
    copierConcurrency: 5,
    delivererConcurrency: 10,
    videos: WITH_SANDBOX,
  },
  prod: {
    name: 'prod',
    data: 'retain',
    logRetentionDays: 90,
    logLevel: 'INFO',
    allowedPrivateHosts: [],
    edge: 'cloudfront',
    throttle: { requestsPerSecond: 1_000, burst: 2_000 },
    addressRequestsPerMinute: 6_000,
    accessLog: true,
    largeUploads: 'fargate',
    uploadTasks: { min: 2, max: 10 },
    storageQuotaBytes: 10 * GIBIBYTE,
    resultDays: 30,
    requestsPerMinute: { upload: 60, submit: 60, read: 600, admin: 120 },
    wireNames: 'native',
    pollerConcurrency: 50,
    copierConcurrency: 50,
    delivererConcurrency: 50,
  },
  /** One machine: the emulator stands for AWS, and callbacks may reach this machine. */
  local: {
    name: 'local',
    data: 'destroy',
    logRetentionDays: 1,
    logLevel: 'INFO',
    allowedPrivateHosts: ['127.0.0.1', 'localhost'],
    // The local run is its own edge, and runs the server for large uploads as a process.
    edge: 'none',
    throttle: { requestsPerSecond: 10_000, burst: 5_000 },
    accessLog: false,
    largeUploads: 'off',
    storageQuotaBytes: 10 * GIBIBYTE,
    resultDays: 30,
    requestsPerMinute: { upload: 6_000, submit: 6_000, read: 60_000, admin: 60_000 },
    wireNames: 'native',
    pollerConcurrency: 5,
    copierConcurrency: 5,
    delivererConcurrency: 10,
    videos: WITH_SANDBOX,
  },
};

/**
 * @param changes settings for this deployment alone, as `-c settings='{"wireNames":"openrouter"}'` gives them
 * @throws Error that names the known stages, or the setting that is wrong.
 */
export function stageConfig(name: string, changes: Readonly<Record<string, unknown>> = {}): StageConfig {
  const config = stages[name];
  if (config === undefined) {
    throw new Error(`No stage "${name}"; there are: ${Object.keys(stages).join(', ')}`);
  }
  const videos = readVideoSettings(name) ?? config.videos;
  const result = v.safeParse(stageConfigSchema, { ...config, videos, ...changes });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`Stage "${name}" is wrong: ${v.getDotPath(issue) ?? ''} ${issue.message}`);
}
