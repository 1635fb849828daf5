import { variables } from '../../functions/environment-names.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import type { DeploymentValues } from './deployment.ts';

interface EntranceParts {
  readonly config: Pick<StageConfig, 'edge' | 'domain' | 'edgeSecretSha256'>;
  readonly values: Pick<DeploymentValues, 'edgeSecretDigests'>;
}

/** The stage's settings for the entrance, which every request passes; see `functions/gate/`. */
export function entrance({ config: { edge, domain, edgeSecretSha256 }, values }: EntranceParts): Capability {
  const digests =
    edgeSecretSha256.length === 0 ? {} : { [variables.edgeSecretSha256]: edgeSecretSha256.join() };
  return combine(
    knowing(domain === undefined ? {} : { [variables.publicUrl]: `https://${domain.name}` }),
    edge === 'cloudfront' ? values.edgeSecretDigests : knowing(digests),
  );
}
