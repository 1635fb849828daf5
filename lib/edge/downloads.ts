import { Fn } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  CfnPublicKey,
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
import { variables } from '../../functions/environment-names.ts';
import { KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import type { Bucket } from '../constructs/bucket.ts';
import { DerivationKey } from '../constructs/derivation-key.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { stackOutput } from '../constructs/stack-output.ts';
import type { DeploymentValues } from '../programs/deployment.ts';
import { type StageConfig, titleOf } from '../stage/config.ts';
import type { Files } from '../stores/files.ts';
import type { Videos } from '../stores/videos.ts';
import { acceptOpen, NO_KEPT_ERRORS } from './distribution.ts';
import { logDownloads } from './download-log.ts';
import { downloadsProgram } from './program.ts';

/** How callers get what the buckets hold. */
export interface Downloads {
  /** What makes links to a bucket's objects. */
  linksTo(bucket: Bucket): Capability;
  /** The origins that links lead to, for the console to read; none without an edge, where there is no console. */
  readonly origins: readonly string[];
}

interface DownloadsProps {
  readonly config: StageConfig;
  readonly files: Files;
  readonly videos: Videos;
  readonly values: DeploymentValues;
  readonly key: DerivationKey | undefined;
}

/** The key that links are signed with, by which nobody can derive the secrets of webhooks; none where S3 checks links. */
export function downloadsKeyOf(scope: Construct, config: StageConfig): DerivationKey | undefined {
  if (config.edge === 'none' && config.downloads === undefined) return undefined;
  return new DerivationKey(scope, 'DownloadsKey', {
    config,
    description: 'Derives the keys that sign links to Genway downloads',
    variable: variables.downloadsKeyId,
  });
}

/**
 * Through the stage's edge; or from S3, where whoever makes a link must be able to read what it leads to. The edge of a
 * local run is told what it must know.
 */
export function downloadsOf(scope: Construct, props: DownloadsProps): Downloads {
  const { config, files, videos, values, key } = props;
  if (key === undefined) return FROM_S3;
  if (config.downloads !== undefined) {
    const outputs = {
      DownloadsPublicKey: values.downloadsKeyOf(config.edgeSecretGeneration),
      FilesBucket: files.objects.bucketName,
      ResultsBucket: videos.results.bucketName,
    };
    for (const [name, value] of Object.entries(outputs)) stackOutput(scope, name, value);
    return throughEdge(config, key, config.downloads);
  }
  const edge = new DownloadsEdge(scope, 'Downloads', props);
  const { linksTo, origins } = throughEdge(config, key, edge);
  return { linksTo: (bucket) => combine(linksTo(bucket), onceExists(edge)), origins };
}

/**
 * CloudFront takes minutes to make a distribution, and the functions wait for its name. If their roles did not, the
 * functions of a stage that had none could no longer read what their links to S3 lead to.
 */
const onceExists = (edge: DownloadsEdge): Capability => ({
  environment: {},
  grant: ({ grantPrincipal }) => {
    if (Construct.isConstruct(grantPrincipal)) grantPrincipal.node.addDependency(edge);
  },
});

const FROM_S3: Downloads = { linksTo: (bucket) => bucket.reader, origins: [] };

/** The edge alone reads the objects, so makers of links need no right to any. */
function throughEdge(
  { edgeSecretGeneration }: StageConfig,
  key: DerivationKey,
  { url, keyPairId }: Pick<DownloadsEdge, 'url' | 'keyPairId'>,
): Downloads {
  const known = knowing({
    [variables.downloadsUrl]: url,
    [variables.downloadsKeyPair]: keyPairId,
    [variables.downloadsKeyGeneration]: String(edgeSecretGeneration),
  });
  return { linksTo: () => combine(known, key.deriver), origins: [url] };
}

/**
 * Files and videos, by signed links alone. It has a name of its own, so that what callers have uploaded never shares an
 * origin with the console. It caches nothing: what is deleted is gone at once.
 */
class DownloadsEdge extends Construct {
  readonly url: string;
  /** CloudFront's id of the key that signs links. */
  readonly keyPairId: string;

  constructor(scope: Construct, id: string, { config, files, videos, values }: DownloadsProps) {
    super(scope, id);
    const { edgeSecretGeneration: generation } = config;
    // CloudFront cannot change a key, so each generation is a key of its own.
    const keyOf = (each: number) =>
      publicKey(this, `LinkKey${each}`, `${titleOf(config)}-links-${each}`, values.downloadsKeyOf(each));
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
    logDownloads(distribution, config);
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

/**
 * CloudFront takes a reference that it has seen for the same request again. CDK derives it from the construct's place,
 * where a stage that is destroyed and deployed again has another key; so it holds a line of the key itself.
 */
function publicKey(scope: Construct, id: string, name: string, encodedKey: string) {
  // Its first line is the same for all keys, the next begins with what all of this curve share; this one is its own.
  const callerReference = Fn.join('/', [name, Fn.select(2, Fn.split('\n', encodedKey))]);
  const made = new CfnPublicKey(scope, id, { publicKeyConfig: { name, encodedKey, callerReference } });
  return PublicKey.fromPublicKeyId(scope, `${id}ById`, made.ref);
}

function accept(distribution: Distribution): void {
  acceptOpen(distribution);
  acceptFinding(
    distribution,
    'CFR3',
    'The setting downloadLog has it logged, by way of CloudWatch; the function that made a link has logged who asked for it',
  );
  acceptFinding(
    distribution,
    'CFR4',
    'It has no name of the deployer’s, so TLS 1.0 is CloudFront’s to refuse',
  );
}
