import type { Environment } from 'aws-cdk-lib';
import { adapterOf } from '../../functions/videos/providers/provider-settings.ts';
import { fileOf } from './config.ts';
import { WrongSettings } from './read-settings.ts';
import { canHaveEdge, NO_EDGE_THERE, type StageConfig } from './schema.ts';

/** The account and region of the deployer's credentials, if the CDK's CLI has found them. */
export interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/** Bedrock runs its only video model nowhere else: https://docs.aws.amazon.com/bedrock/latest/userguide/models-regions.html */
const REGION_OF_BEDROCK = 'us-west-2';

/**
 * Where a stage is deployed: in its own account and region, otherwise in those of the credentials.
 * @throws WrongSettings before anything is deployed, if the stage would be created a second time in another place, or where it
 * cannot have its edge or reach Bedrock's model
 */
export function placeOf(config: StageConfig, current: Place, file = fileOf(config.name)): Environment {
  const { name, account, region, data } = config;
  if (account !== undefined && current.account !== undefined && account !== current.account) {
    throw new WrongSettings(
      `Stage "${name}" belongs to account ${account} (${file}), but the credentials are for ${current.account}. ` +
        `Use credentials of ${account}, for example with AWS_PROFILE, or create another stage for ${current.account}`,
    );
  }
  if (current.account !== undefined && lacksPlace({ data, account, region })) {
    const wanted = JSON.stringify({ account: current.account, region: current.region ?? 'eu-central-1' });
    throw new WrongSettings(
      `Stage "${name}" keeps its data, so ${file} must name its account and region: other credentials would create ` +
        `a second, empty stage. If this account and region are right, add: ${wanted.slice(1, -1)}`,
    );
  }
  const place = definedOnly({ account: account ?? current.account, region: region ?? current.region });
  const fault = place.region === undefined ? undefined : faultOf(place.region, config);
  if (fault !== undefined)
    throw new WrongSettings(`Stage "${name}" would go to ${place.region} (${file}). ${fault}`);
  return place;
}

/** Why a stage cannot be in a region. */
function faultOf(region: string, { edge, platform, videos: { providers } }: StageConfig): string | undefined {
  if (edge === 'cloudfront' && !canHaveEdge(region)) return NO_EDGE_THERE;
  if (platform === 'emulator' || region === REGION_OF_BEDROCK) return undefined;
  const lost = Object.keys(providers).find(
    (provider) => adapterOf(provider, providers) === 'bedrock' && providers[provider]?.aws === undefined,
  );
  if (lost === undefined) return undefined;
  const wanted = JSON.stringify({ region: REGION_OF_BEDROCK, bucket: '…' });
  return `videos.providers.${lost}: Bedrock has its video model in ${REGION_OF_BEDROCK} only, so name an existing bucket there: "aws": ${wanted}`;
}

/** Whether other credentials would create a second, empty stage. */
export const lacksPlace = ({ data, account, region }: Place & Pick<StageConfig, 'data'>): boolean =>
  data === 'retain' && (account === undefined || region === undefined);

function definedOnly(place: Place): Environment {
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}
