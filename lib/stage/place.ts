import type { Environment } from 'aws-cdk-lib';
import { fileOf } from './config.ts';
import { WrongSettings } from './read-settings.ts';
import { canHaveEdge, NO_EDGE_THERE, type StageConfig } from './schema.ts';

/** The account and region of the deployer's credentials, if the CDK's CLI has found them. */
export interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/**
 * Where a stage is deployed: in its own account and region, otherwise in those of the credentials.
 * @throws WrongSettings before anything is deployed, if the stage would be created a second time in another place, or where it
 * cannot have its edge
 */
export function placeOf(
  { name, account, region, data, edge }: StageConfig,
  current: Place,
  file = fileOf(name),
): Environment {
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
  if (edge === 'cloudfront' && place.region !== undefined && !canHaveEdge(place.region)) {
    throw new WrongSettings(`Stage "${name}" would go to ${place.region} (${file}). ${NO_EDGE_THERE}`);
  }
  return place;
}

/** Whether other credentials would create a second, empty stage. */
export const lacksPlace = ({ data, account, region }: Place & Pick<StageConfig, 'data'>): boolean =>
  data === 'retain' && (account === undefined || region === undefined);

function definedOnly(place: Place): Environment {
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}
