import type { Stack } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { titleOf } from '../../lib/constructs/names.ts';
import { type StageConfig, stageConfig } from '../../lib/stage/config.ts';
import { placeOf } from '../../lib/stage/place.ts';
import { awsAdvice } from '../cli/run.ts';
import {
  type AskedPlace,
  findCertificate,
  findDocker,
  judgeAlarms,
  judgeBootstrap,
  judgeCertificate,
  judgeModels,
  judgeZones,
  zonesOf,
} from './checks.ts';
import { type Finding, fault, note, ok } from './finding.ts';
import { findLeftovers, judgeLeftovers } from './leftovers.ts';
import {
  accountConcurrency,
  atCloudFront,
  judgeCloudFront,
  judgeConcurrency,
  judgeVpcs,
  vpcsIn,
} from './quotas.ts';
import { findFailure, findStack, isFirst, judgeStack } from './stack.ts';

/** Checks everything that a deployment of a stage needs, and changes nothing. Skips checks that depend on a failed one. */
export async function examine(stage: string, docker: string | undefined, now: Date): Promise<Finding[]> {
  const settings = await settled(() => stageConfig(stage));
  if (typeof settings === 'string') return [fault('settings', settings)];
  const found = [
    ok('settings', `config/stages/${stage}.json`),
    judgeAlarms(settings),
    judgeModels(settings, now),
  ];
  const caller = await settled(findCaller);
  if (typeof caller === 'string') return [...found, fault('credentials', awsAdvice(caller))];
  found.push(ok('credentials', caller.arn));
  const place = await settled(() => ({ ...caller, ...placeOf(settings, caller) }));
  if (typeof place === 'string') return [...found, fault('account', place)];
  found.push(ok('account', `${place.account}, ${place.region}`));
  return [...found, ...(await Promise.all(looksAt(settings, place, docker, now)))];
}

function looksAt(
  config: StageConfig,
  { account, region }: AskedPlace,
  docker: string | undefined,
  now: Date,
): Promise<Finding>[] {
  const { name, domain } = config;
  const stack = titleOf(config);
  const there = findStack(stack, region);
  const hasServer = config.largeUploads === 'fargate';
  return [
    look('bootstrap', async () => judgeBootstrap(await findStack('CDKToolkit', region), { account, region })),
    look('stack', async () => {
      const found = await there;
      return judgeStack({ name: stack, region }, found, await findFailure(found, region));
    }),
    look('leftovers', async () => {
      const where = { stage: name, stack, account, region };
      return judgeLeftovers(await findLeftovers(where), where);
    }),
    ...looksAtQuotas(config, region, there),
    look('concurrency', async () => judgeConcurrency(await accountConcurrency(region), region, config)),
    ...(hasServer ? [look('zones', async () => judgeZones(await zonesOf(region), region, config))] : []),
    ...(hasServer ? [look('docker', () => findDocker(docker))] : []),
    ...(domain?.certificateArn === undefined ? [] : [certificate(domain.name, domain.certificateArn, now)]),
  ];
}

/** What a first deployment takes of an account. Later ones have it already. */
function looksAtQuotas(
  config: StageConfig,
  region: string,
  there: Promise<Stack | undefined>,
): Promise<Finding>[] {
  const ofFirst = (about: string, find: () => Promise<Finding>) =>
    look(about, async () => (isFirst(await there) ? find() : ok(about, 'The stage has its own')));
  const { edge, largeUploads, vpc } = config;
  const hasNetwork = largeUploads === 'fargate' && vpc === undefined;
  return [
    ...(edge === 'cloudfront'
      ? [ofFirst('cloudfront', async () => judgeCloudFront(await atCloudFront(region), config))]
      : []),
    ...(hasNetwork ? [ofFirst('network', async () => judgeVpcs(await vpcsIn(region), region))] : []),
  ];
}

const certificate = (name: string, arn: string, now: Date): Promise<Finding> =>
  look('certificate', async () => judgeCertificate(name, await findCertificate(arn), now));

/** The user may lack the right to look, because CloudFormation deploys with another role. */
async function look(about: string, find: () => Promise<Finding>): Promise<Finding> {
  const found = await settled(find);
  return typeof found === 'string' ? note(about, `It could not be checked: ${found}`) : found;
}

async function findCaller() {
  const sts = new STSClient();
  const region = await sts.config.region();
  const { Account, Arn } = await sts.send(new GetCallerIdentityCommand({}));
  return { account: Account ?? '', region, arn: Arn ?? '' };
}

/** The result, or the reason why there is none. */
async function settled<T extends object>(run: () => T | Promise<T>): Promise<T | string> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
