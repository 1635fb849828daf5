import { types } from 'node:util';
import type { Stack } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type AskedStage, readStage, type StageConfig, stageFile, titleOf } from '../../lib/stage/config.ts';
import { lacksPlace, placeOf } from '../../lib/stage/place.ts';
import { awsAdvice, isUnreachable } from '../cli/run.ts';
import {
  type AskedPlace,
  findCertificate,
  findDocker,
  findKey,
  judgeAccessLogs,
  judgeAlarms,
  judgeBootstrap,
  judgeCertificate,
  judgeKey,
  judgeModels,
  judgeZones,
  regionOfBucket,
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

const { isNativeError } = types;

/** Checks everything that a deployment of a stage needs, and changes nothing. One fault hides no other: only what needs it is left out. */
export async function examine(asked: AskedStage, docker: string | undefined, now: Date): Promise<Finding[]> {
  const settings = await settled(() => settingsOf(asked));
  const config = isNativeError(settings) ? undefined : settings.config;
  const caller = await settled(() => findCaller(config?.region));
  const found = isNativeError(settings)
    ? [fault('settings', settings.message)]
    : judgeSettings(settings, now);
  const image = config?.largeUploads === 'fargate' ? [await look('docker', () => findDocker(docker))] : [];
  if (isNativeError(caller)) {
    const about = isUnreachable(caller) ? 'network' : 'credentials';
    return [...found, fault(about, awsAdvice(caller)), ...image];
  }
  found.push(ok('credentials', caller.arn));
  if (isNativeError(settings) || config === undefined) return found;
  const place = await settled(() => ({ ...caller, ...placeOf(config, caller, settings.file) }));
  if (isNativeError(place) && lacksPlace(config)) found.push(fault('account', place.message));
  else if (isNativeError(place)) return [...found, fault('account', place.message), ...image];
  else found.push(ok('account', `${place.account}, ${place.region}`));
  const there = isNativeError(place) ? caller : place;
  return [...found, ...(await Promise.all(looksAt(settings, there, now))), ...image];
}

interface ReadSettings {
  readonly config: StageConfig;
  readonly file: string;
}

function settingsOf(asked: AskedStage): ReadSettings {
  const found = stageFile(asked);
  return { config: readStage(found), file: found.file };
}

/** What can be told without AWS. */
function judgeSettings({ config, file }: ReadSettings, now: Date): Finding[] {
  const settings = lacksPlace(config)
    ? fault(
        'settings',
        `${file} must set account and region: without them, other credentials could deploy a second, empty stage`,
      )
    : ok('settings', file);
  return [settings, judgeAlarms(config, file), judgeModels(config, now)];
}

function looksAt(
  { config, file }: ReadSettings,
  { account, region }: AskedPlace,
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
      return judgeLeftovers(await findLeftovers(where), { file, region }, await there);
    }),
    ...looksAtQuotas(config, region, there),
    look('concurrency', async () => judgeConcurrency(await accountConcurrency(region), region, config)),
    ...(hasServer ? [look('zones', async () => judgeZones(await zonesOf(region), region, config))] : []),
    ...(domain?.certificateArn === undefined ? [] : [certificate(domain.name, domain.certificateArn, now)]),
    ...looksAtOwn(config, region),
  ];
}

/** What the deployer brings, and CloudFormation would miss only when half of a stage is there. */
function looksAtOwn({ own }: StageConfig, region: string): Promise<Finding>[] {
  const key = (about: string, arn: string | undefined) =>
    arn === undefined
      ? []
      : [look(about, async () => judgeKey(about, arn, await findKey(arn, region), region))];
  const { accessLogBucket: bucket } = own;
  const bucketFound = async (name: string) =>
    judgeAccessLogs(name, await regionOfBucket(name, region), region);
  return [
    ...key('dataKey', own.dataKeyArn),
    ...key('logKey', own.logKeyArn),
    ...(bucket === undefined ? [] : [look('accessLogs', () => bucketFound(bucket))]),
  ];
}

/** What a first deployment takes of an account. Later ones have it already. */
function looksAtQuotas(
  config: StageConfig,
  region: string,
  there: Promise<Stack | undefined>,
): Promise<Finding>[] {
  const ofFirst = (about: string, find: () => Promise<Finding>) =>
    look(about, async () =>
      isFirst(await there) ? find() : ok(about, 'Not checked, because the stack of the stage already exists'),
    );
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
  return isNativeError(found) ? note(about, `Not checked: ${found.message}`) : found;
}

/** Asked in the region of the stage, if its settings name it: then the environment need not. */
async function findCaller(ofStage: string | undefined) {
  const sts = new STSClient(ofStage === undefined ? {} : { region: ofStage });
  const region = await sts.config.region();
  const { Account, Arn } = await sts.send(new GetCallerIdentityCommand({}));
  return { account: Account ?? '', region, arn: Arn ?? '' };
}

/** The result, or why there is none. */
async function settled<T extends object>(run: () => T | Promise<T>): Promise<T | Error> {
  try {
    return await run();
  } catch (error) {
    return isNativeError(error) ? error : new Error(String(error));
  }
}
