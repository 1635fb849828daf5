import { Aws, Duration } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { API_ORIGIN, cloudFrontProgram, UPLOAD_ORIGIN, UPLOAD_PATH } from './edge/program.ts';
import type { LargeUploads } from './large-uploads.ts';
import type { RestApi } from './rest-api.ts';

export interface EdgeProps {
  readonly api: RestApi;
  /** @default uploads end where Lambda's do */
  readonly largeUploads: LargeUploads | undefined;
}

/** The one address that callers use. Caches nothing: every answer depends on who asks. */
export class Edge extends Construct {
  /** Ends in `/api/v1`. */
  readonly url: string;

  constructor(scope: Construct, id: string, { api, largeUploads }: EdgeProps) {
    super(scope, id);
    const routeUploads = new EdgeFunction(this, 'RouteUploads', {
      code: FunctionCode.fromInline(cloudFrontProgram(largeUploads !== undefined)),
      runtime: FunctionRuntime.JS_2_0,
    });
    const behind = (origin: IOrigin): BehaviorOptions => ({
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway knows itself by its own name only.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // A redirect to https would come after the key has been sent in the clear.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      functionAssociations: [{ function: routeUploads, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: false,
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Genway',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: behind(apiOrigin(api)),
      // CloudFront attaches an origin by a path alone; the function then chooses between the two.
      additionalBehaviors:
        largeUploads === undefined ? {} : { [UPLOAD_PATH]: behind(uploadOrigin(largeUploads)) },
    });
    this.url = `https://${distribution.distributionDomainName}/api/v1`;
  }
}

/** The path goes through as it comes: it begins with the name of the stage, `api`. */
function apiOrigin({ api }: RestApi): IOrigin {
  return new HttpOrigin(`${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
    originId: API_ORIGIN,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: Duration.seconds(30),
  });
}

function uploadOrigin({ origin, loadBalancer }: LargeUploads): IOrigin {
  return VpcOrigin.withVpcOrigin(origin, {
    domainName: loadBalancer.loadBalancerDnsName,
    originId: UPLOAD_ORIGIN,
    // The most that an account has without asking: after the last byte of 100 MiB there is still work to do.
    readTimeout: Duration.seconds(120),
    keepaliveTimeout: Duration.seconds(60),
  });
}
