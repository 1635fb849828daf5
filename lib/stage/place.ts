import type { Environment } from 'aws-cdk-lib';
import type { StageConfig } from './rules.ts';

/** Where a deployer's credentials lead, as far as the CDK's CLI has found out. */
export interface Place {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

/**
 * Where a stage is deployed: its own account and region, else where the credentials lead.
 * @throws Error before anything is made, where a stage would come to be a second time, in another place
 */
export function placeOf({ name, account, region, data }: StageConfig, current: Place): Environment {
  const file = `config/stages/${name}.json`;
  if (account !== undefined && current.account !== undefined && account !== current.account) {
    throw new Error(
      `Stage "${name}" belongs to account ${account} (${file}), and these credentials are of ${current.account}. ` +
        `Use credentials of ${account}, as with AWS_PROFILE; or make a stage of its own for ${current.account}`,
    );
  }
  if (data === 'retain' && current.account !== undefined && (account === undefined || region === undefined)) {
    const wanted = JSON.stringify({ account: current.account, region: current.region ?? 'eu-central-1' });
    throw new Error(
      `Stage "${name}" keeps its data, so ${file} must say where: other credentials would make a second one, ` +
        `which is empty. If this is the place, add to it: ${wanted.slice(1, -1)}`,
    );
  }
  return definedOnly({ account: account ?? current.account, region: region ?? current.region });
}

function definedOnly(place: Place): Environment {
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}
