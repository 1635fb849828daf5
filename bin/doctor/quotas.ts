import {
  CloudFrontClient,
  ListDistributionsCommand,
  ListPublicKeysCommand,
} from '@aws-sdk/client-cloudfront';
import { EC2Client, paginateDescribeVpcs } from '@aws-sdk/client-ec2';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { acceptedGenerations } from '../../functions/downloads/link-key.ts';
import type { StageConfig } from '../../lib/stage/config.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** Lambda keeps this much of an account's concurrency for functions without a reservation. */
const UNRESERVABLE = 100;
/** Doctor adds a note if requests get less than this beside a stage's workers. */
const FOR_REQUESTS = 100;
/** AWS's default, below which it starts new accounts. */
const USUAL_LIMIT = 1000;

/** How many functions may run at once in an account and region. */
export async function accountConcurrency(region: string): Promise<number> {
  const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

type Settings = Pick<
  StageConfig,
  | 'reservedConcurrency'
  | 'submitterConcurrency'
  | 'pollerConcurrency'
  | 'copierConcurrency'
  | 'delivererConcurrency'
>;

/** Checks whether the account allows as much concurrency as the stage's settings need. */
export function judgeConcurrency(limit: number, region: string, settings: Settings): Finding {
  const { submitter = 0, poller = 0, copier = 0, deliverer = 0 } = settings.reservedConcurrency;
  const reserved = submitter + poller + copier + deliverer;
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --region ${region}`;
  const askFor = (needed: number) =>
    `ask AWS for a higher limit: ${request} --desired-value ${Math.max(USUAL_LIMIT, needed)}`;
  const told = `the limit is ${limit} concurrent executions`;
  if (reserved > Math.max(0, limit - UNRESERVABLE)) {
    const most = `${told}, and Lambda requires at least ${UNRESERVABLE} unreserved ones`;
    return fault(
      'concurrency',
      `reservedConcurrency is ${reserved} in total, but ${most}. Lower or remove reservedConcurrency, or ${askFor(reserved + UNRESERVABLE)}`,
    );
  }
  const { submitterConcurrency, pollerConcurrency, copierConcurrency, delivererConcurrency } = settings;
  const workers = submitterConcurrency + pollerConcurrency + copierConcurrency + delivererConcurrency;
  const needed = workers + FOR_REQUESTS;
  if (limit >= needed) return ok('concurrency', told);
  return note(
    'concurrency',
    `${told}, and workers alone may take ${workers}: requests may be throttled under load. To make that less likely, lower a concurrency setting such as pollerConcurrency, or ${askFor(needed)}`,
  );
}

/** How many of each an account has at CloudFront, which knows no regions. */
interface AtCloudFront {
  readonly distributions: number;
  readonly publicKeys: number;
}

/** By default; nobody but AWS knows the account's own quota. */
const PUBLIC_KEYS = 10;

export async function atCloudFront(region: string): Promise<AtCloudFront> {
  const client = new CloudFrontClient({ region });
  const { DistributionList } = await client.send(new ListDistributionsCommand({ MaxItems: 1 }));
  const { PublicKeyList } = await client.send(new ListPublicKeysCommand({ MaxItems: 100 }));
  return {
    distributions: DistributionList?.Items?.length ?? 0,
    publicKeys: PublicKeyList?.Items?.length ?? 0,
  };
}

/** Checks whether CloudFront will take what a stage's first deployment creates. */
export function judgeCloudFront(
  { distributions, publicKeys }: AtCloudFront,
  { edgeSecretGeneration }: Pick<StageConfig, 'edgeSecretGeneration'>,
): Finding {
  if (distributions === 0) {
    return note(
      'cloudfront',
      'The account has no distribution yet. Many new accounts can create one only after AWS has verified them; before that, the deployment fails with “must be verified”. ' +
        'Before you deploy, ask AWS to verify the account: open a support case of the type “account and billing”, which is free. ' +
        'To deploy without CloudFront until the account is verified, see docs/first-deployment.md#without-cloudfront',
    );
  }
  const needed = acceptedGenerations(edgeSecretGeneration).length;
  if (publicKeys + needed <= PUBLIC_KEYS) return ok('cloudfront', 'The account already has a distribution');
  return note(
    'cloudfront',
    `The account has ${publicKeys} CloudFront public keys, and this stage needs ${needed} more. The default AWS quota is ${PUBLIC_KEYS}. If the quota of the account is too low, delete unused public keys, or ask AWS for a higher quota`,
  );
}

/** By default, in each region. A new account begins with one. */
const VPCS = 5;

export async function vpcsIn(region: string): Promise<number> {
  const client = new EC2Client({ region });
  let count = 0;
  for await (const { Vpcs = [] } of paginateDescribeVpcs({ client }, {})) count += Vpcs.length;
  return count;
}

/** Checks whether a stage can create its own network. */
export function judgeVpcs(count: number, region: string): Finding {
  if (count < VPCS) return ok('network', `VPCs in ${region}: ${count} (default quota: ${VPCS})`);
  return note(
    'network',
    `${region} has ${count} VPCs, and this stage creates another. The default AWS quota is ${VPCS}. If the quota of the account is too low, delete an unused VPC, set vpc to an existing one, or ask AWS for a higher quota. ` +
      `To see the quota of the account, run aws service-quotas get-service-quota --service-code vpc --quota-code L-F678F1CE --region ${region}`,
  );
}
