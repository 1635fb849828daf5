import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { FILE_PROVIDERS } from '../../functions/files/providers/file-provider.ts';
import { PROVIDER_KEYS_BY_WORKSPACE, SEALED_FOR } from '../../functions/tables.ts';
import { adapterNames } from '../../functions/videos/providers/dialects.ts';
import { settingsOf, takesKeys } from '../../functions/videos/providers/provider-settings.ts';
import { type Capability, combine, knowing } from '../constructs/program.ts';
import { removalOf } from '../constructs/removal.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

class ProviderKeysTable extends Table {
  readonly creator = this.allowing('PutItem');
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('GetItem', 'UpdateItem');
  readonly pageReader = this.allowing('BatchGetItem');
  readonly lister = combine(this.allowingQueries(PROVIDER_KEYS_BY_WORKSPACE), this.pageReader);
  readonly remover = this.allowing('GetItem', 'DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, variable: variables.providerKeysTable, partitionKey: 'id' });
    this.indexBy(PROVIDER_KEYS_BY_WORKSPACE, 'workspace_id', 'created_at');
  }
}

/** The callers' own keys for providers. They are stored encrypted; only functions that call a provider decrypt them. */
export class ProviderKeys extends Construct {
  readonly rows: ProviderKeysTable;
  /** To know for which providers the stage takes keys. */
  readonly takers: Capability;
  readonly #kmsKey: Key;
  readonly #videoProviders: readonly string[];

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.#videoProviders = keyedVideoProviders(config);
    const takers = [...FILE_PROVIDERS, ...adapterNames.filter(takesKeys), ...this.#videoProviders];
    this.takers = knowing({ [variables.providers]: [...new Set(takers)].join() });
    this.rows = new ProviderKeysTable(this, 'Table', config);
    this.#kmsKey = new Key(this, 'Key', {
      description: 'Encrypts the provider keys that Genway keeps for its workspaces',
      enableKeyRotation: true,
      multiRegion: config.multiRegionKeys,
      removalPolicy: removalOf(config),
    });
  }

  get kmsKeyId(): string {
    return this.#kmsKey.keyId;
  }

  /** The right to encrypt a key before it is stored. */
  get sealer(): Capability {
    return this.#allowing('kms:Encrypt');
  }

  /** The right to find and decrypt keys for the providers of files, and for no others. */
  get fileUser(): Capability {
    return combine(this.rows.lister, this.#openerOf(FILE_PROVIDERS));
  }

  /** The right to find and decrypt keys for the stage's video providers, and for no others. */
  get videoUser(): Capability {
    const told = knowing({ [variables.providerKeysKmsKey]: this.#kmsKey.keyId });
    const providers = this.#videoProviders;
    return combine(this.rows.lister, providers.length === 0 ? told : this.#openerOf(providers));
  }

  /** The right to read and decrypt one key, of any provider that the stage calls with keys. */
  get tester(): Capability {
    return combine(this.rows.reader, this.#openerOf([...FILE_PROVIDERS, ...this.#videoProviders]));
  }

  /** The right to decrypt the headers with which traces are sent. */
  get traceOpener(): Capability {
    return this.#openerOf([SEALED_FOR]);
  }

  /** The right to decrypt values that are encrypted for these names, and nothing else. */
  #openerOf(names: readonly string[]): Capability {
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
const keyedVideoProviders = ({ videos: { providers } }: StageConfig): string[] =>
  Object.keys(providers).filter((name) => settingsOf(name, providers)?.credential !== 'none');
