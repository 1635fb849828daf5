/** Where stages are costed. In us-east-1 a stage can have a firewall of its own. */
export const REGIONS = ['us-east-1', 'eu-central-1'] as const;
export type Region = (typeof REGIONS)[number];

interface ListPrice {
  readonly usd: number;
  /** A day on which it was in AWS's list. */
  readonly seen: string;
  /** AWS's own list or page. */
  readonly source: string;
}

interface Price {
  readonly unit: string;
  readonly in: Readonly<Record<Region, ListPrice>>;
}

/** What AWS's list says of a region: dollars, and when it said so. */
type Listed = readonly [usd: number, seen: string];

const listOf = (offer: string, region?: Region): string =>
  `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${offer}/current/${region ? `${region}/` : ''}index.json`;

/** A price of each region's own list. */
function price(unit: string, offer: string, us: Listed, eu: Listed): Price {
  const listed = (region: Region, [usd, seen]: Listed) => ({ usd, seen, source: listOf(offer, region) });
  return { unit, in: { 'us-east-1': listed('us-east-1', us), 'eu-central-1': listed('eu-central-1', eu) } };
}

/** A price of a page or list for all regions. */
function shared(unit: string, source: string, us: Listed, eu: Listed = us): Price {
  const listed = ([usd, seen]: Listed) => ({ usd, seen, source });
  return { unit, in: { 'us-east-1': listed(us), 'eu-central-1': listed(eu) } };
}

const WAF = 'https://aws.amazon.com/waf/pricing/';

export const PRICES = {
  cpu: price(
    'Fargate on ARM: a vCPU for an hour',
    'AmazonECS',
    [0.03238, '2026-09-27'],
    [0.03725, '2026-10-08'],
  ),
  memory: price(
    'Fargate on ARM: a GB for an hour',
    'AmazonECS',
    [0.00356, '2026-09-27'],
    [0.00409, '2026-10-08'],
  ),
  loadBalancer: price('load balancer: an hour', 'AWSELB', [0.0225, '2026-09-27'], [0.027, '2026-09-24']),
  address: price('public IPv4 address: an hour', 'AmazonVPC', [0.005, '2026-09-27'], [0.005, '2026-10-08']),
  key: price(
    'KMS: a key for a month, or one of its first two rotations for a month',
    'awskms',
    [1, '2026-09-29'],
    [1, '2026-10-08'],
  ),
  secret: price(
    'Secrets Manager: a secret for a month',
    'AWSSecretsManager',
    [0.4, '2026-09-29'],
    [0.4, '2026-10-08'],
  ),
  firewall: shared('WAF: a web ACL for a month', WAF, [5, '2026-09-24']),
  firewallRule: shared('WAF: a rule for a month', WAF, [1, '2026-09-24']),
  firewallRequests: shared('WAF: a million requests', WAF, [0.6, '2026-09-14']),
  alarm: price(
    'CloudWatch: an alarm on one metric for a month, after the first ten of an account',
    'AmazonCloudWatch',
    [0.1, '2026-08-06'],
    [0.1, '2026-10-08'],
  ),
  compositeAlarm: price(
    'CloudWatch: a composite alarm for a month',
    'AmazonCloudWatch',
    [0.5, '2026-08-06'],
    [0.5, '2026-08-06'],
  ),
  dashboard: shared(
    'CloudWatch: a dashboard for a month, after the first three of an account that have at most 50 metrics',
    'https://aws.amazon.com/cloudwatch/pricing/',
    [3, '—'],
  ),
  metric: price(
    'CloudWatch: a custom metric for a month, after the first ten of an account',
    'AmazonCloudWatch',
    [0.3, '2026-09-21'],
    [0.3, '2026-10-08'],
  ),
  logs: price(
    'CloudWatch Logs: a GB of new logs, after the first five of an account in a month',
    'AmazonCloudWatch',
    [0.5, '2026-09-21'],
    [0.63, '2026-10-08'],
  ),
  requests: price(
    'API Gateway: a million requests',
    'AmazonApiGateway',
    [3.5, '2026-08-12'],
    [3.7, '2026-08-12'],
  ),
  edgeRequests: shared(
    'CloudFront: a million requests over HTTPS, from the United States or from Europe, after the first ten million of an account in a month',
    listOf('AmazonCloudFront'),
    [1, '2026-10-08'],
    [1.2, '2026-09-28'],
  ),
  edgeFunction: shared(
    'CloudFront: a million runs of a function, after the first two million of an account in a month',
    listOf('AmazonCloudFront'),
    [0.1, '2026-09-28'],
  ),
  runs: price(
    'Lambda: a million runs, after the first million of an account in a month',
    'AWSLambda',
    [0.2, '2026-09-29'],
    [0.2, '2026-09-21'],
  ),
  seconds: price(
    'Lambda on ARM: a million GB-seconds, after the first 400,000 of an account in a month',
    'AWSLambda',
    [13.3334, '2026-09-29'],
    [13.3334, '2026-09-21'],
  ),
  writes: price(
    'DynamoDB: a million write units',
    'AmazonDynamoDB',
    [0.625, '2026-09-29'],
    [0.7625, '2026-09-21'],
  ),
  reads: price(
    'DynamoDB: a million read units',
    'AmazonDynamoDB',
    [0.125, '2026-09-29'],
    [0.1525, '2026-09-21'],
  ),
  rows: price(
    'DynamoDB: a GB of rows for a month, after the first 25 of an account',
    'AmazonDynamoDB',
    [0.25, '2026-08-15'],
    [0.306, '2026-09-11'],
  ),
  recovery: price(
    'DynamoDB: point-in-time recovery of a GB for a month',
    'AmazonDynamoDB',
    [0.2, '2026-08-15'],
    [0.2448, '2026-09-11'],
  ),
  messages: price(
    'SQS: a million calls, after the first million of an account in a month',
    'AWSQueueService',
    [0.4, '2026-09-21'],
    [0.4, '2026-09-11'],
  ),
  puts: price('S3: a million PUTs', 'AmazonS3', [5, '2026-10-08'], [5.4, '2026-08-31']),
  objects: price('S3: a GB for a month', 'AmazonS3', [0.023, '2026-10-08'], [0.0245, '2026-08-31']),
} as const satisfies Record<string, Price>;

/** In a region, in USD. */
export const priceIn = (region: Region, name: keyof typeof PRICES): number => PRICES[name].in[region].usd;

export function pricesTable(): string {
  const head = ['price, USD', ...REGIONS.flatMap((region) => [region, 'seen'])];
  const rows = Object.values(PRICES).map((one: Price) => [
    one.unit,
    ...REGIONS.flatMap((region) => {
      const { usd, source, seen } = one.in[region];
      return [`[${usd}](${source})`, seen];
    }),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
