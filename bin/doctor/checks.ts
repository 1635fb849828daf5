import {
  ACMClient,
  type CertificateDetail,
  DescribeCertificateCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm';
import type { Stack } from '@aws-sdk/client-cloudformation';
import { type AvailabilityZone, DescribeAvailabilityZonesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeKeyCommand, type KeyMetadata, KMSClient, NotFoundException } from '@aws-sdk/client-kms';
import { HeadBucketCommand, NotFound, S3Client } from '@aws-sdk/client-s3';
import { allOffers } from '../../functions/videos/catalogue/catalogue.ts';
import { mergeModels, type Offer } from '../../functions/videos/catalogue/offer.ts';
import { endsSoon, isStale } from '../../functions/videos/catalogue/row-dates.ts';
import { fileOf, type StageConfig } from '../../lib/stage/config.ts';
import { silenceAdvice, silentAlarms } from '../../lib/stage/silent-alarms.ts';
import { REACHABLE_ZONES } from '../../lib/upload-server/reachable-zones.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** The oldest bootstrap version that today's CDK accepts; `cdk bootstrap` creates a much later one. */
const OLDEST_BOOTSTRAP = 6;

export interface AskedPlace {
  readonly account: string;
  readonly region: string;
}

/** Checks the CDK's own bucket, repository and roles. */
export function judgeBootstrap(toolkit: Stack | undefined, { account, region }: AskedPlace): Finding {
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  if (toolkit === undefined)
    return fault('bootstrap', `${account} is not bootstrapped in ${region}: run ${command}`);
  const told = toolkit.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
  const version = Number(told ?? 0);
  if (version >= OLDEST_BOOTSTRAP) return ok('bootstrap', `version ${version}`);
  return fault(
    'bootstrap',
    `The bootstrap version ${version} is older than ${OLDEST_BOOTSTRAP}: run ${command}`,
  );
}

/** Checks whether anybody gets the stage's alarms, which no deployment needs. */
export function judgeAlarms(
  config: Pick<StageConfig, 'name' | 'data' | 'alarms'>,
  file = fileOf(config.name),
): Finding {
  const silent = silentAlarms(config);
  if (silent.length > 0) return note('alarms', silenceAdvice(file, silent));
  const { page, ticket } = config.alarms;
  return ok(
    'alarms',
    [...page, ...ticket].join(', ') ||
      'no recipients; Genway expects them only for a stage that keeps its data',
  );
}

/** Checks whether vendors end models that the stage offers, and whether anybody has looked lately. */
export function judgeModels(
  { videos }: Pick<StageConfig, 'videos'>,
  now: Date,
  known = allOffers(),
): Finding {
  const offered = mergeModels(known, videos.models).filter(({ provider }) => provider in videos.providers);
  const ending = offered.filter((offer) => endsSoon(offer, now)).map(endOf);
  const stale = offered.filter((offer) => isStale(offer, now)).map(({ id }) => id);
  const notes = [
    ...(ending.length === 0
      ? []
      : [`Vendors have retired the models of these endpoints, or will within 30 days: ${ending.join('; ')}`]),
    ...(stale.length === 0
      ? []
      : [
          `Prices and limits of these endpoints were last checked more than 90 days ago: ${stale.join(', ')}. Update Genway, or your own endpoints in videos.models`,
        ]),
  ];
  if (notes.length > 0) return note('models', notes.join('. '));
  const many = `${offered.length} ${offered.length === 1 ? 'endpoint' : 'endpoints'}`;
  return ok('models', `${many}; no known retirement within 30 days`);
}

const endOf = ({ id, eol_at, successor }: Offer): string =>
  `${id} on ${eol_at}${successor === undefined ? '' : ` (use ${successor})`}`;

/** A load balancer needs two. */
const NEEDED = 2;

export async function zonesOf(region: string): Promise<readonly AvailabilityZone[]> {
  const { AvailabilityZones = [] } = await new EC2Client({ region }).send(
    new DescribeAvailabilityZonesCommand({ Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }] }),
  );
  return AvailabilityZones;
}

/** Checks whether CloudFront and Fargate support the zones of the upload server, which differ between accounts. */
export function judgeZones(
  zones: readonly AvailabilityZone[],
  region: string,
  { vpc }: Pick<StageConfig, 'vpc'>,
): Finding {
  const reachable = REACHABLE_ZONES[region];
  const good = zones
    .filter(({ ZoneId = '' }) => reachable === undefined || reachable.includes(ZoneId))
    .flatMap(({ ZoneName }) => ZoneName ?? []);
  if (good.length < NEEDED) {
    return fault(
      'zones',
      `The upload server needs two zones of ${region} that CloudFront supports, but the account has ${good.length}: use another region, or set "largeUploads": "off"`,
    );
  }
  const bad = vpc?.availabilityZones.filter((zone) => !good.includes(zone)) ?? [];
  if (bad.length === 0)
    return ok(
      'zones',
      `As far as Genway knows, CloudFront supports ${(vpc?.availabilityZones ?? good).join(', ')}`,
    );
  return fault(
    'zones',
    `vpc.availabilityZones contains zones that are not in ${region}, or that CloudFront does not support: ${bad.join(', ')}. Use at least two of: ${good.join(', ')}`,
  );
}

/** Checks the program that builds the image of the upload server; `CDK_DOCKER` can name another. */
export async function findDocker(program = 'docker'): Promise<Finding> {
  const { code, output } = await runCommand(program, ['version', '--format', '{{.Server.Version}}']);
  if (code === 0) return ok('docker', `${program} ${output.trim()}`);
  const why = output.trim().split('\n').at(-1) || `exit code ${code}`;
  const or = 'or set CDK_DOCKER to a replacement, or set "largeUploads": "off"';
  return fault(
    'docker',
    `${program}, which builds the image of the upload server, does not respond: install or start it, ${or}. Error: ${why}`,
  );
}

/** CloudFront only takes certificates from this region. */
const REGION = 'us-east-1';
/** ACM renews a certificate 60 days before its end, if it can. So one that ends this soon was not renewed. */
const SOON = 30 * 24 * 3_600_000;

export async function findCertificate(CertificateArn: string): Promise<CertificateDetail | undefined> {
  const asked = new ACMClient({ region: REGION }).send(new DescribeCertificateCommand({ CertificateArn }));
  return (await unlessMissing(asked, ResourceNotFoundException))?.Certificate;
}

/** Checks whether the edge can serve the stage's own domain. */
export function judgeCertificate(
  name: string,
  certificate: CertificateDetail | undefined,
  now: Date,
): Finding {
  const { Status, NotAfter, SubjectAlternativeNames: names = [] } = certificate ?? {};
  if (Status === 'PENDING_VALIDATION') {
    return fault('certificate', 'The certificate is not validated yet: complete its DNS or email validation');
  }
  const advice = `request one for ${name} from ACM in us-east-1, and set its ARN as domain.certificateArn`;
  if (Status !== 'ISSUED') {
    const what =
      Status === undefined
        ? `ACM has no certificate with the ARN in domain.certificateArn`
        : `The status of the certificate is ${Status}`;
    return fault('certificate', `${what}: ${advice}`);
  }
  if (!names.some((one) => covers(one, name))) {
    return fault('certificate', `The certificate is for ${names.join(', ')}, not for ${name}: ${advice}`);
  }
  const until = NotAfter?.toISOString().slice(0, 10) ?? 'an unknown date';
  if (NotAfter === undefined || NotAfter.getTime() - now.getTime() > SOON) {
    return ok('certificate', `for ${name} until ${until}`);
  }
  return note(
    'certificate',
    `The certificate expires on ${until}, and ACM has not renewed it: if you imported it, reimport a renewed one under the same ARN; otherwise see ACM for the reason`,
  );
}

/** A star stands for one label. */
const covers = (pattern: string, name: string): boolean =>
  pattern.startsWith('*.') ? name.slice(name.indexOf('.')) === pattern.slice(1) : pattern === name;

/** A key that the deployer brings; undefined if there is none. */
export async function findKey(KeyId: string, region: string): Promise<KeyMetadata | undefined> {
  const asked = new KMSClient({ region }).send(new DescribeKeyCommand({ KeyId }));
  return (await unlessMissing(asked, NotFoundException))?.KeyMetadata;
}

/** Checks whether tables and buckets, or log groups, can be encrypted with a key. */
export function judgeKey(about: string, arn: string, key: KeyMetadata | undefined, region: string): Finding {
  if (key === undefined)
    return fault(
      about,
      `There is no key ${arn} in ${region}: set own.${about}Arn to the ARN of a key in that region`,
    );
  const { KeyState, KeySpec, KeyManager } = key;
  if (KeyState !== 'Enabled')
    return fault(about, `The key ${arn} is ${KeyState}: ${remedyOf(KeyState)}, or use another key`);
  if (KeySpec !== 'SYMMETRIC_DEFAULT' || KeyManager !== 'CUSTOMER')
    return fault(
      about,
      `${arn} must be a customer managed key for symmetric encryption; its key spec is ${KeySpec}, and its key manager is ${KeyManager}`,
    );
  return ok(about, arn);
}

function remedyOf(state: KeyMetadata['KeyState']): string {
  if (state === 'Disabled') return 'enable it in KMS';
  return state === 'PendingDeletion' ? 'cancel its deletion and enable it in KMS' : 'see KMS for the reason';
}

/** The region of a bucket; undefined if there is none. */
export async function regionOfBucket(Bucket: string, region: string): Promise<string | undefined> {
  // An emulator has no host for each bucket.
  const client = new S3Client({ region, followRegionRedirects: true, forcePathStyle: true });
  const found = await unlessMissing(client.send(new HeadBucketCommand({ Bucket })), NotFound);
  return found && (found.BucketRegion ?? region);
}

/** Checks whether buckets can log to one that the deployer brings. */
export function judgeAccessLogs(bucket: string, found: string | undefined, region: string): Finding {
  if (found === undefined) return fault('accessLogs', `There is no bucket ${bucket}: create it in ${region}`);
  if (found !== region)
    return fault(
      'accessLogs',
      `${bucket} is in ${found}, but S3 writes access logs only within a region: use a bucket in ${region}`,
    );
  return ok('accessLogs', bucket);
}

/** Undefined where AWS says that there is no such thing. */
const unlessMissing = <Found>(
  asked: Promise<Found>,
  Missing: abstract new (...args: never[]) => Error,
): Promise<Found | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Missing) return undefined;
    throw error;
  });
