/** A list price of us-east-1 in USD, and when it was last compared with AWS's. */
interface Price {
  readonly usd: number;
  readonly unit: string;
  readonly seen: string;
}

const price = (usd: number, unit: string, seen: string): Price => ({ usd, unit, seen });

export const PRICES = {
  cpu: price(0.03238, 'Fargate on ARM: a vCPU for an hour', '2026-09-23'),
  memory: price(0.00356, 'Fargate on ARM: a GB for an hour', '2026-09-23'),
  loadBalancer: price(0.0225, 'load balancer: an hour', '2026-09-23'),
  address: price(0.005, 'public IPv4 address: an hour', '2026-09-23'),
  key: price(1, 'KMS: a key for a month, and each of its first two rotations', '2026-11-21'),
  secret: price(0.4, 'Secrets Manager: a secret for a month', '2026-11-21'),
  firewall: price(5, 'WAF: a web ACL for a month', '2026-11-21'),
  firewallRule: price(1, 'WAF: a rule for a month', '2026-11-21'),
  firewallRequests: price(0.6, 'WAF: a million requests', '2026-11-21'),
  alarm: price(0.1, 'CloudWatch: an alarm for a month, after the first ten of an account', '2026-11-21'),
  compositeAlarm: price(0.5, 'CloudWatch: an alarm made of alarms, for a month', '2026-11-21'),
  dashboard: price(
    3,
    'CloudWatch: a dashboard for a month, after an account’s first three of at most 50 metrics',
    '2026-11-21',
  ),
  metric: price(0.3, 'CloudWatch: a metric of one’s own for a month', '2026-11-21'),
  logs: price(0.5, 'CloudWatch Logs: a GB', '2026-11-21'),
  requests: price(3.5, 'API Gateway: a million requests', '2026-11-21'),
  edgeRequests: price(1, 'CloudFront: a million requests over HTTPS', '2026-11-23'),
  edgeFunction: price(0.1, 'CloudFront: a million runs of a function', '2026-11-23'),
  runs: price(0.2, 'Lambda: a million runs', '2026-11-21'),
  seconds: price(13.3334, 'Lambda on ARM: a million seconds with a GB of memory', '2026-11-21'),
  writes: price(0.625, 'DynamoDB: a million write units', '2026-10-04'),
  reads: price(0.125, 'DynamoDB: a million read units', '2026-10-04'),
  rows: price(0.25, 'DynamoDB: a GB of rows for a month, after the first 25 of an account', '2026-10-04'),
  recovery: price(0.2, 'DynamoDB: point-in-time recovery of a GB for a month', '2026-11-23'),
  messages: price(0.4, 'SQS: a million calls', '2026-11-21'),
  puts: price(5, 'S3: a million PUTs', '2026-11-21'),
  objects: price(0.023, 'S3: a GB for a month', '2026-11-21'),
} as const satisfies Record<string, Price>;

export function pricesTable(): string {
  const rows = Object.values(PRICES).map(({ usd, unit, seen }) => `| ${unit} | ${usd} | ${seen} |`);
  return ['| price in us-east-1 | USD | compared on |', '|---|---|---|', ...rows].join('\n');
}
