import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { type Capability, combine } from '../constructs/program.ts';
import { removalOf } from '../constructs/removal.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

/** The private logs of generations, encrypted. */
class GenerationLogsTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly creator = this.allowing('PutItem');
  readonly remover = this.allowing('DeleteItem');
  /** The right to delete all logs of a workspace. */
  readonly purger = combine(this.allowingQueries(), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.generationLogsTable,
      partitionKey: 'workspace_id',
      sortKey: 'generation_id',
      expiresBy: 'expires_at',
    });
  }
}

/** Encrypts the key of each log. It is not the key of the provider keys, because other programs may decrypt with that one. */
class LogsKey extends Key {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      description: 'Encrypts the generations that Genway logs for its workspaces',
      enableKeyRotation: true,
      multiRegion: config.multiRegionKeys,
      removalPolicy: removalOf(config),
    });
  }

  /** The right to encrypt a log, but not to decrypt one. */
  get sealer(): Capability {
    return this.#allowing('kms:GenerateDataKey');
  }

  get opener(): Capability {
    return this.#allowing('kms:Decrypt');
  }

  #allowing(action: string): Capability {
    return {
      environment: { [variables.generationLogsKmsKey]: this.keyId },
      grant: (grantee) => {
        Grant.addToPrincipal({ grantee, actions: [action], resourceArns: [this.keyArn] });
      },
    };
  }
}

/** Private logs of workspaces; see docs/decisions/024-private-logs.md. */
export class Generations extends Construct {
  readonly contents: GenerationLogsTable;
  readonly logsKey: LogsKey;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.contents = new GenerationLogsTable(this, 'Logs', config);
    this.logsKey = new LogsKey(this, 'Key', config);
  }
}
