import * as v from 'valibot';
import { edge, uploads } from './settings/entrances.ts';
import { stageName } from './settings/fields.ts';
import { load, operations } from './settings/operations.ts';
import { own } from './settings/own.ts';
import { data, place } from './settings/place.ts';
import { providers } from './settings/providers.ts';

export const NO_EDGE_THERE =
  'region: GovCloud has no CloudFront, and CloudFront’s own domain names cannot be used in China, so edge must be "none"';

/** CloudFront takes certificates from nowhere else, and a stack can only create them in its own region. */
export const REGION_OF_CERTIFICATES = 'us-east-1';

export const CERTIFICATE_NEEDED =
  'domain: the edge needs a certificate. Set domain.certificateArn, or set own.hostedZoneId in us-east-1, where the stage creates the certificate';

/** Downloads have no other name than CloudFront's own. */
export const canHaveEdge = (region: string): boolean => !/^(cn|us-gov)-/.test(region);

/** The settings in groups, as docs/configuration.md lists them. */
export const settingGroups = {
  Location: place,
  Data: data,
  'Edge and console': edge,
  'Large uploads': uploads,
  'Your own resources': own,
  Operations: operations,
  Load: load,
  Providers: providers,
};

export const settingEntries = {
  ...place,
  ...data,
  ...edge,
  ...uploads,
  ...own,
  ...operations,
  ...load,
  ...providers,
};

/** Whether a part of an ARN is the wanted one, as far as both are known: a CDK app may pass what it creates itself. */
const agrees = (arn: string | undefined, part: 'region' | 'account', wanted: string | undefined): boolean => {
  if (arn === undefined || wanted === undefined || !arn.startsWith('arn:')) return true;
  return arn.split(':')[part === 'region' ? 3 : 4] === wanted;
};

/** All settings of a stage, and which settings must go together. */
export const stageConfigSchema = v.pipe(
  v.strictObject({ name: stageName, ...settingEntries }),
  v.check(
    (config) => config.name !== 'prod' || config.allowedPrivateHosts.length === 0,
    'allowedPrivateHosts: must be empty in prod',
  ),
  v.check(
    (config) => config.largeUploads === 'off' || config.edge === 'cloudfront',
    'largeUploads: only CloudFront can reach the server, so set edge to "cloudfront" or largeUploads to "off"',
  ),
  v.check(
    ({ edge, domain, own, region }) =>
      edge === 'none' ||
      domain === undefined ||
      domain.certificateArn !== undefined ||
      (own.hostedZoneId !== undefined && (region ?? REGION_OF_CERTIFICATES) === REGION_OF_CERTIFICATES),
    CERTIFICATE_NEEDED,
  ),
  v.check(
    ({ edge, domain, webAclArn, addressRequestsPerMinute }) =>
      edge === 'cloudfront' ||
      [domain?.certificateArn, webAclArn, addressRequestsPerMinute].every((value) => value === undefined),
    'domain.certificateArn, webAclArn, addressRequestsPerMinute: are for CloudFront, so omit them or set edge to "cloudfront"',
  ),
  v.check(
    ({ edge, domain, own }) =>
      own.hostedZoneId === undefined || (edge === 'cloudfront' && domain !== undefined),
    'own.hostedZoneId: is for the DNS records of a domain of CloudFront, so omit it, or set domain, and edge to "cloudfront"',
  ),
  v.check(
    ({ own, region }) => [own.dataKeyArn, own.logKeyArn].every((key) => agrees(key, 'region', region)),
    'own.dataKeyArn, own.logKeyArn: a key must be in the region of the stage',
  ),
  v.check(
    ({ own: { permissionsBoundaryArn: limit }, account }) =>
      agrees(limit, 'account', account) || agrees(limit, 'account', 'aws'),
    'own.permissionsBoundaryArn: must be a policy of the stage’s account, or of AWS',
  ),
  v.check(
    ({ edge, edgeSecretSha256 }) => edge === 'none' || edgeSecretSha256.length === 0,
    'edgeSecretSha256: CloudFront has its own secret, so omit it or set edge to "none"',
  ),
  v.check(
    ({ edge, region }) => edge === 'none' || region === undefined || canHaveEdge(region),
    NO_EDGE_THERE,
  ),
  v.check(
    ({ platform, downloads }) => platform === 'emulator' || downloads === undefined,
    'downloads: is for the emulator; on AWS, omit it, because edge: "cloudfront" provides the downloads',
  ),
  v.check(
    ({ reservedConcurrency: { submitter, poller, copier, deliverer }, ...config }) =>
      (submitter ?? Number.POSITIVE_INFINITY) >= config.submitterConcurrency &&
      (poller ?? Number.POSITIVE_INFINITY) >= config.pollerConcurrency &&
      (copier ?? Number.POSITIVE_INFINITY) >= config.copierConcurrency &&
      (deliverer ?? Number.POSITIVE_INFINITY) >= config.delivererConcurrency,
    'reservedConcurrency: must be at least the concurrency of the same consumer, or Lambda throttles its batches',
  ),
  v.check(
    ({ vpc }) =>
      vpc === undefined ||
      [vpc.serverSubnets, vpc.loadBalancerSubnets].every(
        ({ length }) => length === vpc.availabilityZones.length,
      ),
    'vpc: serverSubnets and loadBalancerSubnets must contain one subnet for each of the availabilityZones',
  ),
);
export type StageConfig = Readonly<v.InferOutput<typeof stageConfigSchema>>;
