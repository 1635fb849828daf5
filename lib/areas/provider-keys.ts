import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { FILE_PROVIDERS } from '../../functions/files/providers/file-provider.ts';
import { PROVIDER_KEYS_BY_WORKSPACE } from '../../functions/tables.ts';
import { settingsOf, takesKeys } from '../../functions/videos/providers/provider-settings.ts';
import { providerNames } from '../../functions/videos/providers/registry.ts';
import { GenwayFunction } from '../constructs/genway-function.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { WorkspacesTable } from './workspaces.ts';

class ProviderKeysTable extends Table {
  readonly creator = this.allowing('PutItem');
  readonly reader = this.allowing('GetItem');
  readonly lister = this.allowingQueries(PROVIDER_KEYS_BY_WORKSPACE);
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  readonly pageReader = this.allowing('BatchGetItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.providerKeysTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: PROVIDER_KEYS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
    });
  }
}

/** The callers' own keys for providers. They are stored encrypted; only functions that call a provider decrypt them. */
export class ProviderKeys extends Construct {
  readonly rows: ProviderKeysTable;
  readonly #kmsKey: Key;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.rows = new ProviderKeysTable(this, 'Table', config);
    this.#kmsKey = new Key(this, 'Key', {
      description: 'Encrypts the provider keys that Genway keeps for its workspaces',
      enableKeyRotation: true,
      multiRegion: config.multiRegionKeys,
      removalPolicy: config.data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** The right to encrypt a key before it is stored. */
  get sealer(): Capability {
    return this.#allowing('kms:Encrypt');
  }

  /** The right to find and decrypt keys for these providers, and for no others. */
  userOf(providers: readonly string[]): Capability {
    const told = knowing({ [variables.providerKeysKmsKey]: this.#kmsKey.keyId });
    return combine(this.rows.lister, providers.length === 0 ? told : this.openerOf(providers));
  }

  /** The right to decrypt values that are encrypted for these names, and nothing else. */
  openerOf(names: readonly string[]): Capability {
    // `IfExists` is safe: a key was encrypted with its provider in the context, and decryption fails without it.
    const ofThese = { StringEqualsIfExists: { 'kms:EncryptionContext:provider': names } };
    return this.#allowing('kms:Decrypt', ofThese);
  }

  #allowing(action: string, conditions: Record<string, Record<string, unknown>> = {}): Capability {
    return {
      environment: { [variables.providerKeysKmsKey]: this.#kmsKey.keyId },
      grant: (grantee) => {
        const resourceArns = [this.#kmsKey.keyArn];
        Grant.addToPrincipal({ grantee, actions: [action], resourceArns, conditions });
      },
    };
  }
}

/** The stage's video providers that need a key. */
export const keyedVideoProviders = ({ videos: { providers } }: StageConfig): string[] =>
  Object.keys(providers).filter((name) => settingsOf(name, providers)?.credential !== 'none');

interface ProviderKeyEndpointsProps {
  readonly config: StageConfig;
  readonly providerKeys: ProviderKeys;
  readonly workspaces: WorkspacesTable;
  readonly lists: ListsTable;
}

export function providerKeyEndpoints({
  config,
  providerKeys: { rows, sealer },
  workspaces,
  lists,
}: ProviderKeyEndpointsProps) {
  const keyed = [...FILE_PROVIDERS, ...providerNames().filter(takesKeys), ...keyedVideoProviders(config)];
  return {
    'create-provider-key': [
      rows.creator,
      rows.lister,
      lists.changer,
      sealer,
      workspaces.reader,
      knowing({ [variables.providers]: [...new Set(keyed)].join() }),
    ],
    'list-provider-keys': [lists.reader, rows.pageReader, rows.lister, workspaces.reader],
    'get-provider-key': [rows.reader],
    'update-provider-key': [rows.changer, sealer],
    'delete-provider-key': [rows.remover, rows.lister, lists.changer],
  };
}

interface ProviderKeyOpenerProps {
  readonly config: StageConfig;
  readonly keys: KeysTable;
  readonly workspaces: WorkspacesTable;
  readonly providerKeys: ProviderKeys;
}

/** Decrypts keys for file providers, so that programs that parse uploads may not; see docs/decisions/018-key-opener.md. */
export class ProviderKeyOpener extends GenwayFunction {
  /** The right to have a key decrypted, with the credential of a caller who may use it. */
  readonly user: Capability;

  constructor(
    scope: Construct,
    id: string,
    { config, keys, workspaces, providerKeys }: ProviderKeyOpenerProps,
  ) {
    super(scope, id, {
      config,
      name: 'open-provider-key',
      isGradual: true,
      can: [keys.finder, workspaces.reader, providerKeys.userOf(FILE_PROVIDERS)],
    });
    const { functionName, functionArn } = this.callable;
    this.user = {
      environment: { [variables.openProviderKeyFunction]: functionName },
      grant: (grantee) => {
        Grant.addToPrincipal({
          grantee,
          actions: ['lambda:InvokeFunction'],
          resourceArns: [functionArn],
        });
      },
    };
  }
}
