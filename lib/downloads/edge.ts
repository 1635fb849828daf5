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
  KeyGroup,
  OriginRequestPolicy,
  PublicKey,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acceptedGenerations } from '../../functions/downloads/link-key.ts';
import { KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import type { Bucket } from '../constructs/bucket.ts';
import type { DeploymentValues } from '../deployment-values.ts';
import { acceptOpen } from '../edge/accept-open.ts';
import { NO_KEPT_ERRORS } from '../edge/no-kept-errors.ts';
import type { Files } from '../files.ts';
import type { StageConfig } from '../stage-config.ts';
import type { Videos } from '../videos.ts';
import { downloadsProgram } from './program.ts';

export interface DownloadsEdgeProps {
  readonly config: StageConfig;
  readonly files: Files;
  readonly videos: Videos;
  readonly values: DeploymentValues;
}

/**
 * Files and videos, by signed links alone. It has a name of its own, so that what callers have uploaded never shares an
 * origin with the console. It caches nothing: what is deleted is gone at once.
 */
export class DownloadsEdge extends Construct {
  readonly url: string;
  /** CloudFront's id of the key that signs links. */
  readonly keyPairId: string;

  constructor(scope: Construct, id: string, { config, files, videos, values }: DownloadsEdgeProps) {
    super(scope, id);
    const { edgeSecretGeneration: generation } = config;
    // CloudFront cannot change a key, so each generation is a key of its own.
    const keyOf = (each: number) =>
      new PublicKey(this, `Key${each}`, { encodedKey: values.downloadsKeyOf(each) });
    const signing = keyOf(generation);
    const others = acceptedGenerations(generation).filter((each) => each !== generation);
    const signers = new KeyGroup(this, 'Keys', { items: [signing, ...others.map(keyOf)] });
    const behind = (bucket: Bucket): BehaviorOptions => ({
      origin: S3BucketOrigin.withOriginAccessControl(asInterface<IBucket>(bucket)),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The bucket itself answers which pages may read it.
      originRequestPolicy: OriginRequestPolicy.CORS_S3_ORIGIN,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      trustedKeyGroups: [signers],
      compress: false,
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Genway (${config.name}): downloads`,
      ...(config.webAclArn === undefined ? {} : { webAclId: config.webAclArn }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      errorResponses: NO_KEPT_ERRORS,
      defaultBehavior: { ...behind(files.objects), functionAssociations: [this.#asAttachments()] },
      additionalBehaviors: { [`${KEPT_PREFIX}*`]: behind(videos.results) },
    });
    accept(distribution);
    this.url = `https://${distribution.distributionDomainName}`;
    this.keyPairId = signing.publicKeyId;
  }

  #asAttachments() {
    const program = new EdgeFunction(this, 'AsAttachment', {
      code: FunctionCode.fromInline(downloadsProgram()),
      runtime: FunctionRuntime.JS_2_0,
    });
    return { function: program, eventType: FunctionEventType.VIEWER_RESPONSE };
  }
}

function accept(distribution: Distribution): void {
  acceptOpen(distribution);
  acceptFinding(distribution, 'CFR3', 'The function that made a link has logged who asked for it');
  acceptFinding(
    distribution,
    'CFR4',
    'It has no name of the deployer’s, so TLS 1.0 is CloudFront’s to refuse',
  );
}
