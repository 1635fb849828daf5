import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { FileStore } from '../../functions/files/file-store.ts';
import { ownGuardrail } from '../../functions/guardrails/guardrail.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import {
  GUARDRAILS_BY_WORKSPACE,
  KEYS_BY_CREATION,
  KEYS_BY_WORKSPACE,
  PROVIDER_KEYS_BY_WORKSPACE,
  WORKSPACES_BY_CREATION,
} from '../../functions/tables.ts';
import { resultPrefixes, workspacePrefixes } from '../../functions/videos/bucket-layout.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import { RemovalStore } from '../../functions/workspaces/removal-store.ts';
import {
  type PurgedJobs,
  purgeWorkspace,
  type RemoveWorkspacePorts,
  removeWorkspace,
} from '../../functions/workspaces/remove-workspace.ts';
import { StoredObjects } from '../../functions/workspaces/stored-objects.ts';
import { defaultWorkspace, type Workspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { aDestination } from '../broadcast/ended-event.ts';
import { createTable } from '../engines/conformance/index.ts';
import { storedKey } from '../keys/stored-key.ts';
import { aProviderKey } from '../provider-keys/a-provider-key.ts';

export interface Clients {
  readonly dynamo: DynamoDBDocumentClient;
  readonly s3: S3Client;
}

const BY_WORKSPACE = ['workspace_id', 'created_at'];

/** The tables by what they hold: the key, and what else `createTable` must know. */
const TABLES = {
  workspaces: ['pk', { indexes: { [WORKSPACES_BY_CREATION]: ['listing', 'created_at'] } }],
  keys: [
    'hash',
    {
      indexes: {
        [KEYS_BY_CREATION]: ['listing', 'listed_as'],
        [KEYS_BY_WORKSPACE]: ['workspace_id', 'listed_as'],
      },
    },
  ],
  lists: ['list', {}],
  accounts: ['account', {}],
  providerKeys: ['id', { indexes: { [PROVIDER_KEYS_BY_WORKSPACE]: BY_WORKSPACE } }],
  guardrails: ['id', { indexes: { [GUARDRAILS_BY_WORKSPACE]: BY_WORKSPACE } }],
  webhooks: ['workspace_id', {}],
  broadcasts: ['workspace_id', {}],
  files: ['workspace_id', { sortKey: 'id' }],
} as const satisfies Record<string, readonly [string, Parameters<typeof createTable>[2]]>;

type Tables = Readonly<Record<string, string>>;

const tell = () => undefined;

function storesOf(dynamo: DynamoDBDocumentClient, tables: Tables) {
  const of = (name: keyof typeof TABLES) => tables[name] ?? '';
  return {
    workspaces: new WorkspaceStore(dynamo, of('workspaces')),
    removals: new RemovalStore(dynamo, of('workspaces')),
    keys: new KeyStore(dynamo, of('keys')),
    lists: new ListStore(dynamo, of('lists'), () => crypto.randomUUID()),
    accounts: new AccountStore(dynamo, of('accounts')),
    providerKeys: new ProviderKeyStore(dynamo, of('providerKeys')),
    guardrails: new GuardrailStore(dynamo, of('guardrails')),
    webhooks: new WebhookSettingsStore(dynamo, of('webhooks')),
    broadcasts: new DestinationStore(dynamo, of('broadcasts')),
    files: new FileStore(dynamo, of('files'), () => new Date()),
  };
}

/** Workspaces with everything that they own, in separate tables and a bucket, with a clock that the test sets. */
export class WorkspaceWorld {
  now = new Date('2030-01-01T00:00:00Z');
  /** Deleted workspaces have none, unless a test says otherwise. */
  jobs: PurgedJobs = { stripSome: async () => ({ last: undefined, left: 'none' }) };
  readonly bucket = `own-${crypto.randomUUID()}`;
  readonly #tables: Tables;
  readonly #real: Clients;
  readonly stores: ReturnType<typeof storesOf>;
  readonly lives: KeyLives;

  /** @param real clients that never crash */
  static async create(real: Clients): Promise<WorkspaceWorld> {
    const created = Object.entries(TABLES).map(async ([name, [key, more]]) => [
      name,
      await createTable(real.dynamo, key, more),
    ]);
    const world = new WorkspaceWorld(Object.fromEntries(await Promise.all(created)), real);
    await real.s3.send(new CreateBucketCommand({ Bucket: world.bucket }));
    return world;
  }

  private constructor(tables: Tables, real: Clients) {
    this.#tables = tables;
    this.#real = real;
    this.stores = storesOf(real.dynamo, tables);
    this.lives = new KeyLives(this.stores);
  }

  async newWorkspace(slug = `w-${crypto.randomUUID()}`): Promise<Workspace> {
    const workspace = { ...defaultWorkspace(this.now, 'test'), id: crypto.randomUUID(), slug };
    await this.stores.workspaces.create(workspace, this.stores.lists);
    return workspace;
  }

  /** Creates a key and returns its hash. */
  async newKey(workspaceId: string, expiresAt: string | null = null): Promise<string> {
    const stored = storedKey({ workspace_id: workspaceId, expires_at: expiresAt });
    await this.lives.begin(stored, { limits: {}, countsByok: false });
    return stored.hash;
  }

  /** Creates two provider keys, a guardrail, a webhook address, two files, and two objects below each prefix. */
  async furnish(workspaceId: string, prefixes = workspacePrefixes(workspaceId)): Promise<void> {
    const { providerKeys, lists, guardrails, webhooks, broadcasts, files } = this.stores;
    for (const provider of ['openai', 'fal']) {
      const created_at = `${this.now.toISOString()} ${provider}`;
      const key = aProviderKey(crypto.randomUUID(), { workspace_id: workspaceId, provider, created_at });
      await providerKeys.create(key, lists);
    }
    const guardrail = ownGuardrail({ id: workspaceId, created_at: this.now.toISOString() });
    await transact(this.#real.dynamo, { guardrail: guardrails.replacement(guardrail, guardrail) });
    await webhooks.setDefaultCallbackUrl(workspaceId, 'https://receiver.example/hook');
    await broadcasts.replace(undefined, aDestination({ workspace_id: workspaceId }));
    const file = { mime_type: 'text/plain', size_bytes: 1, purpose: 'user_data' };
    for (const name of ['a', 'b']) {
      const named = { id: `gw_file_${name}`, workspace_id: workspaceId, filename: name };
      await files.announce(named);
      await files.create({ ...file, ...named, created_at: this.now.toISOString() }, 1_000);
    }
    for (const prefix of [`${workspaceId}/`, ...prefixes]) {
      for (const name of ['a', 'b']) {
        await this.#real.s3.send(
          new PutObjectCommand({ Bucket: this.bucket, Key: `${prefix}${name}`, Body: 'x' }),
        );
      }
    }
  }

  /** Everything stored for a workspace except its own row, one word each. */
  async holdings(workspaceId: string): Promise<string[]> {
    const { providerKeys, webhooks, guardrails, files, broadcasts } = this.stores;
    const { Contents = [] } = await this.#real.s3.send(new ListObjectsV2Command({ Bucket: this.bucket }));
    const { default_callback_url: url } = await webhooks.find(workspaceId);
    const broadcast = await broadcasts.find(workspaceId);
    return [
      ...(await Array.fromAsync(providerKeys.list(workspaceId))).map(({ provider }) => `key for ${provider}`),
      ...(await Array.fromAsync(guardrails.list(workspaceId))).map(({ name }) => `guardrail ${name}`),
      ...(url === null ? [] : [`webhook ${url}`]),
      ...(broadcast === undefined ? [] : [`broadcast ${broadcast.url}`]),
      ...(await files.list(workspaceId, { after: undefined, limit: 10 })).files.map(
        ({ filename }) => `file ${filename}`,
      ),
      ...Contents.flatMap(({ Key }) => (Key?.includes(workspaceId) ? [`object ${Key}`] : [])),
    ];
  }

  /** The settings that the deletion itself removes. */
  async settings(workspaceId: string): Promise<string[]> {
    const held = await this.holdings(workspaceId);
    return held.filter((each) => /^(key|guardrail|webhook|broadcast)/.test(each));
  }

  remove(
    idOrSlug: string,
    clients: Clients = this.#real,
    ports: Partial<RemoveWorkspacePorts> = {},
  ): Promise<void> {
    const stores = storesOf(clients.dynamo, this.#tables);
    const linked = this.#objects(clients, (id) => [`${id}/`, ...resultPrefixes(id)]);
    const anybody = { kind: 'management', workspaceId: '', scope: UNLIMITED } as const;
    return removeWorkspace(anybody, idOrSlug, { ...stores, linked: [linked], now: () => this.now, ...ports });
  }

  #objects = ({ s3 }: Clients, prefixesOf: (id: string) => string[]) =>
    new StoredObjects(s3, this.bucket, prefixesOf);

  async sweep(clients: Clients = this.#real, milliseconds = 60_000): Promise<void> {
    const stores = storesOf(clients.dynamo, this.#tables);
    const holdings = [stores.files, this.#objects(clients, (id) => [`${id}/`, ...workspacePrefixes(id)])];
    const ports = { ...stores, jobs: this.jobs, holdings, now: () => this.now };
    const deadline = new Date(this.now.getTime() + milliseconds);
    for await (const removal of stores.removals.list(tell)) await purgeWorkspace(removal, deadline, ports);
  }

  removals = (): Promise<{ id: string }[]> => Array.fromAsync(this.stores.removals.list(tell));
}
