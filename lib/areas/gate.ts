import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { isAudited, type Route } from '../../functions/http/routes.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { DeploymentValues } from './deployment.ts';
import type { KeysTable } from './keys.ts';

const partitionKey = { name: 'id', type: AttributeType.STRING };

/** The recent calls of each key. */
export class BucketsTable extends Table {
  readonly counter = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.bucketsTable, partitionKey, expiresBy: 'expires_at' });
  }
}

/** Responses to requests with an idempotency key, kept for a day. */
export class ReplaysTable extends Table {
  readonly rememberer = this.allowing('GetItem', 'PutItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.replaysTable, partitionKey, expiresBy: 'expires_at' });
  }
}

/** The audit trail: who changed what. An entry is only changed to record how the change ended, and never deleted. */
export class AuditTable extends Table {
  readonly writer = combine(this.allowing('PutItem'), this.allowingUpdatesOf(['trail', 'place', 'status']));
  readonly lister = this.allowingQueries();

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.auditTable,
      partitionKey: { name: 'trail', type: AttributeType.STRING },
      sortKey: { name: 'place', type: AttributeType.STRING },
      expiresBy: 'expires_at',
    });
  }
}

/** The stage's settings for the entrance; see `functions/gate/`. */
export function entrance(
  { edge, domain, edgeSecretSha256 }: StageConfig,
  values: DeploymentValues,
): Capability {
  const digests = edge === 'cloudfront' ? values.edgeSecretSha256 : edgeSecretSha256.join();
  return knowing({
    ...(domain === undefined ? {} : { [variables.publicUrl]: `https://${domain.name}` }),
    ...(digests === '' ? {} : { [variables.edgeSecretSha256]: digests }),
  });
}

export interface GateProps {
  readonly config: StageConfig;
  /** Where the gate looks up every credential. */
  readonly keys: KeysTable;
  /** Where the gate counts the calls of each key. */
  readonly buckets: BucketsTable;
  /** Where the gate records changes by management keys. */
  readonly audit: AuditTable;
  readonly entrance: Capability;
}

/** What `functions/gate/` needs in front of every endpoint, in a function or in a server. */
export class Gate {
  /** What every request needs, whichever program answers it. */
  readonly entrance: Capability;
  readonly #props: GateProps;

  constructor(props: GateProps) {
    this.entrance = props.entrance;
    this.#props = props;
  }

  before(route: Route): Capability {
    const { access, limit } = route;
    const { config, keys, buckets, audit } = this.#props;
    const admit = [
      this.entrance,
      ...(access === 'public' ? [] : [keys.authenticator]),
      ...(isAudited(route) ? [audit.writer] : []),
    ];
    if (limit === undefined) return combine(...admit);
    const rate = knowing({ [variables.requestsPerMinute]: String(config.requestsPerMinute[limit]) });
    return combine(...admit, buckets.counter, rate);
  }
}
