import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IDistribution,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { EDGE_SECRET_HEADER } from '../../functions/http/headers.ts';
import type { RestApi } from '../api/rest-api.ts';
import type { Console } from '../console/console.ts';
import { CONSOLE_PATH } from '../console/page-headers.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import type { StageConfig } from '../stage/config.ts';
import { CERTIFICATE_NEEDED, REGION_OF_CERTIFICATES } from '../stage/schema.ts';
import type { LargeUploads } from '../upload-server/large-uploads.ts';
import { acceptOpen, NO_KEPT_ERRORS } from './distribution.ts';
import { firewallArn } from './firewall.ts';
import { API_ORIGIN, cloudFrontProgram, UPLOAD_ORIGIN, UPLOAD_PATHS } from './program.ts';

export interface EdgeProps {
  readonly api: RestApi;
  /** @default no uploads above the limit of Lambda */
  readonly largeUploads: LargeUploads | undefined;
  /** @default the edge serves no console */
  readonly console: Console | undefined;
  readonly config: StageConfig;
  /** Proves to the origins that a request came through this edge. */
  readonly secret: string;
}

/** The one address that callers use. It caches nothing of the API, because every response depends on the caller. */
export class Edge extends Construct {
  /** CloudFront's own name; the deployer's DNS record must point to it. */
  readonly domainName: string;
  /** Ends in `/api/v1`. */
  readonly url: string;
  readonly consoleUrl: string;

  /** It reads better whole: what CloudFront does with each path, from the most specific to the default. */
  constructor(scope: Construct, id: string, { api, largeUploads, console, config, secret }: EdgeProps) {
    super(scope, id);
    const routeUploads = new EdgeFunction(this, 'RouteUploads', {
      code: FunctionCode.fromInline(
        cloudFrontProgram({
          largeUploads: largeUploads !== undefined,
          console: console !== undefined,
          securityContact: config.securityContact,
        }),
      ),
      runtime: FunctionRuntime.JS_2_0,
    });
    const functionAssociations = [{ function: routeUploads, eventType: FunctionEventType.VIEWER_REQUEST }];
    const responseHeadersPolicy = challenge(this);
    const behind = (origin: IOrigin): BehaviorOptions => ({
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // With another, CloudFront could give one answer to all who ask for a path at the same time (request collapsing).
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway only accepts its own name as `Host`.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // A redirect to https would come too late: the key would already have been sent in clear text.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      responseHeadersPolicy,
      functionAssociations,
      compress: false,
    });
    const pages = console && { ...console.behavior, functionAssociations };
    // A caller cannot set it: CloudFront replaces what comes by this name.
    const customHeaders = { [EDGE_SECRET_HEADER]: secret };
    const webAclId = firewallArn(this, config);
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Genway (${config.name})`,
      ...ownName(this, config),
      ...(webAclId === undefined ? {} : { webAclId }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      errorResponses: NO_KEPT_ERRORS,
      defaultBehavior: behind(apiOrigin(api, customHeaders)),
      // CloudFront selects an origin only by path; then the function chooses between the two.
      additionalBehaviors: {
        ...(largeUploads === undefined
          ? {}
          : servedBy(behind(uploadOrigin(largeUploads, customHeaders)), UPLOAD_PATHS)),
        ...(pages && servedBy(pages, [CONSOLE_PATH, `${CONSOLE_PATH}/*`])),
      },
    });
    accept(distribution);
    // A receiver of a new secret must already know it. The functions do, because the API's origin depends on them.
    if (largeUploads !== undefined) distribution.node.addDependency(largeUploads.service);
    this.domainName = distribution.distributionDomainName;
    if (config.own.hostedZoneId !== undefined) leadTo(distribution, config.own.hostedZoneId, config);
    const origin = `https://${config.domain?.name ?? this.domainName}`;
    this.url = `${origin}/api/v1`;
    this.consoleUrl = `${origin}${CONSOLE_PATH}`;
  }
}

const servedBy = (behavior: BehaviorOptions, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, behavior]));

function accept(distribution: Distribution): void {
  acceptOpen(distribution);
  acceptFinding(
    distribution,
    'CFR3',
    'API Gateway and the server log requests, and whatever gets no further costs nothing',
  );
  acceptFinding(
    distribution,
    'CFR4',
    'CloudFront’s own name takes TLS 1.0; with the setting domain it is TLS 1.2',
  );
}

/**
 * API Gateway renames `WWW-Authenticate`, and CloudFront runs no function on a response of 400 or above. RFC 9110
 * §11.6.1 allows the header on any response.
 */
const challenge = (scope: Construct) =>
  new ResponseHeadersPolicy(scope, 'Challenge', {
    comment: 'How to authenticate, which API Gateway renames',
    customHeadersBehavior: {
      customHeaders: [{ header: 'www-authenticate', value: 'Bearer', override: false }],
    },
    removeHeaders: ['x-amzn-remapped-www-authenticate'],
  });

function ownName(scope: Construct, config: StageConfig): Partial<DistributionProps> {
  const certificate = certificateOf(scope, config);
  if (config.domain === undefined || certificate === undefined) return {};
  return {
    domainNames: [config.domain.name],
    certificate,
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/** The deployer's, or one for whose validation the stage can write the records. */
function certificateOf(scope: Construct, { domain, own }: StageConfig): ICertificate | undefined {
  if (domain === undefined) return undefined;
  if (domain.certificateArn !== undefined)
    return Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn);
  if (own.hostedZoneId === undefined) return undefined;
  if (Stack.of(scope).region !== REGION_OF_CERTIFICATES) throw new Error(CERTIFICATE_NEEDED);
  const zone = HostedZone.fromHostedZoneId(scope, 'CertificateZone', own.hostedZoneId);
  const validation = CertificateValidation.fromDns(zone);
  return new Certificate(scope, 'OwnCertificate', { domainName: domain.name, validation });
}

/** The records of the stage's name, for callers with IPv4 and IPv6. */
function leadTo(distribution: Distribution, hostedZoneId: string, { domain }: StageConfig): void {
  if (domain === undefined) return;
  const zone = HostedZone.fromHostedZoneId(distribution, 'Zone', hostedZoneId);
  const target = RecordTarget.fromAlias(new CloudFrontTarget(asInterface<IDistribution>(distribution)));
  const props = { zone, target, recordName: `${domain.name}.` };
  new ARecord(distribution, 'Name', props);
  new AaaaRecord(distribution, 'NameV6', props);
}

/** The path is passed on unchanged, because it begins with the name of the stage, `api`. */
function apiOrigin({ api }: RestApi, customHeaders: Record<string, string>): IOrigin {
  return new HttpOrigin(`${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
    originId: API_ORIGIN,
    customHeaders,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: Duration.seconds(30),
  });
}

function uploadOrigin(
  { origin, loadBalancer }: LargeUploads,
  customHeaders: Record<string, string>,
): IOrigin {
  return VpcOrigin.withVpcOrigin(origin, {
    domainName: loadBalancer.loadBalancerDnsName,
    originId: UPLOAD_ORIGIN,
    customHeaders,
    // The maximum of an account by default. After the last byte of 100 MiB the server still has work to do.
    readTimeout: Duration.seconds(120),
    keepaliveTimeout: Duration.seconds(60),
  });
}
