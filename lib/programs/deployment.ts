import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { publicKeyName } from '../../functions/downloads/link-key.ts';
import { variables } from '../../functions/environment-names.ts';
import type { Bucket } from '../constructs/bucket.ts';
import type { DerivationKey } from '../constructs/derivation-key.ts';
import { type Capability, GenwayFunction, knowing } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import type { Settings } from './settings.ts';

interface DeploymentValuesProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly signingKey: DerivationKey;
  /** @default links to downloads lead to S3, and need no key */
  readonly downloadsKey: DerivationKey | undefined;
}

/** Values that follow from the deployment's key, computed once during the deployment. */
export class DeploymentValues extends Construct {
  /** To publish the key with which receivers verify webhooks. */
  readonly webhookKeys: Capability;
  /** The secret that the edge sends. */
  readonly edgeSecret: string;
  /** To recognise that secret. */
  readonly edgeSecretDigests: Capability;
  /** The public half, as PEM, of the key that signs links to downloads: by its generation. */
  readonly downloadsKeyOf: (generation: number) => string;

  constructor(scope: Construct, id: string, props: DeploymentValuesProps) {
    super(scope, id);
    const { config, settings, signingKey, downloadsKey } = props;
    const derive = new GenwayFunction(this, 'Derive', {
      config,
      name: 'derive-values',
      // It waits up to a minute until its rights have taken effect.
      timeout: Duration.seconds(100),
      can: [
        signingKey.deriver,
        settings.privateHosts,
        ...(downloadsKey === undefined ? [] : [downloadsKey.deriver]),
      ],
    });
    const values = new CustomResource(this, 'Values', {
      resourceType: 'Custom::GenwayValues',
      serviceToken: derive.functionArn,
      // Without this, a function that cannot answer would delay the deployment for an hour.
      serviceTimeout: Duration.minutes(2),
      properties: {
        EdgeSecretGeneration: config.edgeSecretGeneration,
        // Another key gives other values.
        SigningKeyId: signingKey.keyId,
        ...(downloadsKey && { DownloadsKeyId: downloadsKey.keyId }),
      },
    });
    // The function's role is a separate resource, and must be complete before the function is called.
    values.node.addDependency(derive);
    this.webhookKeys = knowing({ [variables.webhookKeys]: values.getAttString('WebhookKeys') });
    this.edgeSecret = values.getAttString('EdgeSecret');
    this.edgeSecretDigests = knowing({
      [variables.edgeSecretSha256]: values.getAttString('EdgeSecretSha256'),
      // A published version keeps its environment. CDK publishes another if the template changes, and the digests are
      // a reference in it, which stays the same.
      [variables.edgeSecretGeneration]: String(config.edgeSecretGeneration),
    });
    this.downloadsKeyOf = (generation) => values.getAttString(publicKeyName(generation));
  }
}

interface EmptyingProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly buckets: readonly Bucket[];
}

/**
 * Empties the buckets of a stage that is deleted with its data, because CloudFormation only deletes empty buckets.
 */
export class Emptying extends Construct {
  constructor(scope: Construct, id: string, { config, settings, buckets }: EmptyingProps) {
    super(scope, id);
    const timeout = Duration.minutes(15);
    const empty = new GenwayFunction(this, 'Empty', {
      config,
      name: 'empty-bucket',
      timeout,
      can: [settings.privateHosts, ...buckets.map(({ emptier }) => emptier)],
    });
    for (const bucket of buckets) {
      const resource = new CustomResource(this, idOf(bucket), {
        resourceType: 'Custom::GenwayEmptiedBucket',
        serviceToken: empty.functionArn,
        serviceTimeout: timeout,
        properties: { BucketName: bucket.bucketName },
      });
      // The function's role is a separate resource, and must exist as long as the function may be called.
      resource.node.addDependency(empty);
      bucket.emptied.add(resource);
    }
  }
}

/** Must not change, because a deployment that deletes such a resource empties its bucket. CDK hides `Default` everywhere else. */
const idOf = ({ node }: Bucket): string =>
  node.path
    .split('/')
    .filter((id) => id !== 'Default')
    .join('');
