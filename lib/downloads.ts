import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import type { Bucket } from './constructs/bucket.ts';
import { type Capability, combine, knowing } from './constructs/capability.ts';
import { DerivationKey } from './constructs/derivation-key.ts';
import type { DeploymentValues } from './deployment-values.ts';
import { DownloadsEdge } from './downloads/edge.ts';
import type { Files } from './files.ts';
import type { StageConfig } from './stage-config.ts';
import type { Videos } from './videos.ts';

/** How callers get what the buckets hold. */
export interface Downloads {
  /** What makes links to a bucket's objects. */
  linksTo(bucket: Bucket): Capability;
  /** The origins that links lead to, for the console to read; none without an edge, where there is no console. */
  readonly origins: readonly string[];
}

export interface DownloadsProps {
  readonly config: StageConfig;
  readonly files: Files;
  readonly videos: Videos;
  readonly values: DeploymentValues;
  readonly key: DerivationKey | undefined;
}

/** The key that links are signed with, by which nobody can derive the secrets of webhooks; none where S3 checks links. */
export function downloadsKeyOf(stack: Stack, config: StageConfig): DerivationKey | undefined {
  if (config.edge === 'none' && config.downloads === undefined) return undefined;
  return new DerivationKey(stack, 'DownloadsKey', {
    config,
    description: 'Derives what signs links to Genway downloads',
    variable: variables.downloadsKeyId,
  });
}

/**
 * Through the stage's edge; or from S3, where whoever makes a link must be able to read what it leads to. The edge of a
 * local run is told what it must know.
 */
export function downloadsOf(stack: Stack, props: DownloadsProps): Downloads {
  const { config, files, videos, values, key } = props;
  if (key === undefined) return FROM_S3;
  if (config.downloads !== undefined) {
    const outputs = {
      DownloadsPublicKey: values.downloadsKeyOf(config.edgeSecretGeneration),
      FilesBucket: files.objects.bucketName,
      ResultsBucket: videos.results.bucketName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
    return throughEdge(config, key, config.downloads);
  }
  const edge = new DownloadsEdge(stack, 'Downloads', props);
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
