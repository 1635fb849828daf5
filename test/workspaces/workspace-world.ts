import { randomBytes } from 'node:crypto';
import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { FileStore } from '../../functions/files/file-store.ts';
import { ownGuardrail } from '../../functions/guardrails/guardrail.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { newProviderKeySchema } from '../../functions/provider-keys/provider-key.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import {
  GUARDRAILS_BY_WORKSPACE,
  KEYS_BY_CREATION,
  KEYS_BY_WORKSPACE,
  PROVIDER_KEYS_BY_WORKSPACE,
  WORKSPACES_BY_CREATION,
} from '../../functions/tables.ts';
import { workspacePrefixes } from '../../functions/videos/bucket-layout.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import { RemovalStore } from '../../functions/workspaces/removal-store.ts';
import {
  type PurgePorts,
  purgeWorkspace,
  type RemoveWorkspacePorts,
  removeWorkspace,
} from '../../functions/workspaces/remove-workspace.ts';
import { StoredObjects } from '../../functions/workspaces/stored-objects.ts';
import { defaultWorkspace, type Workspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { createTable } from '../contract/create-table.ts';

export interface Clients {
  readonly dynamo: DynamoDBDocumentClient;
  readonly s3: S3Client;
}

/** Workspaces with everything that they own, in separate tables and a bucket, with a clock that the test sets. */
export class WorkspaceWorld {
  now = new Date('2030-01-01T00:00:00Z');
  readonly tables: Readonly<
    Record<
      | 'workspaces'
      | 'keys'
      | 'lists'
      | 'accounts'
      | 'providerKeys'
      | 'guardrails'
      | 'webhooks'
      | 'broadcasts'
      | 'files',
      string
    >
  >;
  readonly bucket = `own-${crypto.randomUUID()}`;
  readonly #real: Clients;

  /** @param real clients that never crash */
  static async create(real: Clients): Promise<WorkspaceWorld> {
    const { dynamo, s3 } = real;
    const listing = (name: string, sortKey: string) => ({ indexes: { [name]: ['listing', sortKey] } });
    const [workspaces, keys, lists, accounts, providerKeys, guardrails, webhooks, broadcasts, files] =
      await Promise.all([
        createTable(dynamo, 'pk', listing(WORKSPACES_BY_CREATION, 'created_at')),
        createTable(dynamo, 'hash', {
          indexes: {
            [KEYS_BY_CREATION]: ['listing', 'listed_as'],
            [KEYS_BY_WORKSPACE]: ['workspace_id', 'listed_as'],
          },
        }),
        createTable(dynamo, 'list'),
        createTable(dynamo, 'account'),
        createTable(dynamo, 'id', {
          indexes: { [PROVIDER_KEYS_BY_WORKSPACE]: ['workspace_id', 'created_at'] },
        }),
        createTable(dynamo, 'id', { indexes: { [GUARDRAILS_BY_WORKSPACE]: ['workspace_id', 'created_at'] } }),
        createTable(dynamo, 'workspace_id'),
        createTable(dynamo, 'workspace_id'),
        createTable(dynamo, 'workspace_id', { sortKey: 'id' }),
      ]);
    const tables = {
      workspaces,
      keys,
      lists,
      accounts,
      providerKeys,
      guardrails,
      webhooks,
      broadcasts,
      files,
    };
    const world = new WorkspaceWorld(tables, real);
    await s3.send(new CreateBucketCommand({ Bucket: world.bucket }));
    return world;
  }

  private constructor(tables: WorkspaceWorld['tables'], real: Clients) {
    this.tables = tables;
    this.#real = real;
  }

  get keys(): KeyStore {
    return new KeyStore(this.#real.dynamo, this.tables.keys);
  }

  get accounts(): AccountStore {
    return new AccountStore(this.#real.dynamo, this.tables.accounts);
  }

  get lives(): KeyLives {
    return new KeyLives({
      keys: this.keys,
      accounts: this.accounts,
      workspaces: this.workspaces,
      guardrails: new GuardrailStore(this.#real.dynamo, this.tables.guardrails),
      lists: this.lists,
    });
  }

  get lists(): ListStore {
    return new ListStore(this.#real.dynamo, this.tables.lists, () => crypto.randomUUID());
  }

  get workspaces(): WorkspaceStore {
    return new WorkspaceStore(this.#real.dynamo, this.tables.workspaces);
  }

  async newWorkspace(slug = `w-${crypto.randomUUID()}`): Promise<Workspace> {
    const workspace = { ...defaultWorkspace(this.now, 'test'), id: crypto.randomUUID(), slug };
    await this.workspaces.create(workspace, this.lists);
    return workspace;
  }

  /** Creates a key and returns its hash. */
  async newKey(workspaceId: string, expiresAt: string | null = null): Promise<string> {
    const request = {
      kind: 'normal' as const,
      name: 'Test',
      workspaceId,
      creatorUserId: null,
      externalUser: null,
      expiresAt,
      rateLimits: {},
    };
    const { stored } = issueKey(request, this.now, randomBytes);
    await this.lives.begin(stored, { limits: {}, countsByok: false });
    return stored.hash;
  }

  /** Creates two provider keys, a guardrail, a webhook address, two files, and two objects below each prefix. */
  async furnish(workspaceId: string, prefixes = workspacePrefixes(workspaceId)): Promise<void> {
    const providerKeys = new ProviderKeyStore(this.#real.dynamo, this.tables.providerKeys);
    for (const provider of ['openai', 'fal']) {
      const { key: _, ...settings } = v.parse(newProviderKeySchema, { provider, key: 'sk-test-test' });
      const key = {
        ...settings,
        id: crypto.randomUUID(),
        workspace_id: workspaceId,
        label: '…st',
        ciphertext: 'AA==',
        created_at: `${this.now.toISOString()} ${provider}`,
        updated_at: null,
      };
      await providerKeys.create(key, this.lists);
    }
    const guardrails = new GuardrailStore(this.#real.dynamo, this.tables.guardrails);
    const guardrail = ownGuardrail({ id: workspaceId, created_at: this.now.toISOString() });
    await transact(this.#real.dynamo, { guardrail: guardrails.replacement(guardrail, guardrail) });
    const webhooks = new WebhookSettingsStore(this.#real.dynamo, this.tables.webhooks);
    await webhooks.setDefaultCallbackUrl(workspaceId, 'https://receiver.example/hook');
    await new DestinationStore(this.#real.dynamo, this.tables.broadcasts).put({
      workspace_id: workspaceId,
      url: 'https://traces.example/v1/traces',
      header_names: [],
      updated_at: this.now.toISOString(),
    });
    const files = new FileStore(this.#real.dynamo, this.tables.files, () => new Date());
    for (const name of ['a', 'b']) await files.create(this.#file(workspaceId, name), 1_000);
    for (const prefix of [`${workspaceId}/`, ...prefixes]) {
      for (const name of ['a', 'b']) {
        await this.#real.s3.send(
          new PutObjectCommand({ Bucket: this.bucket, Key: `${prefix}${name}`, Body: 'x' }),
        );
      }
    }
  }

  #file(workspaceId: string, name: string) {
    return {
      id: `gw_file_${name}`,
      workspace_id: workspaceId,
      filename: name,
      mime_type: 'text/plain',
      size_bytes: 1,
      purpose: 'user_data',
      created_at: this.now.toISOString(),
    };
  }

  /** Everything stored for a workspace except its own row, one word each. */
  async holdings(workspaceId: string): Promise<string[]> {
    const providerKeys = new ProviderKeyStore(this.#real.dynamo, this.tables.providerKeys);
    const webhooks = new WebhookSettingsStore(this.#real.dynamo, this.tables.webhooks);
    const guardrails = new GuardrailStore(this.#real.dynamo, this.tables.guardrails);
    const files = new FileStore(this.#real.dynamo, this.tables.files, () => new Date());
    const { Contents = [] } = await this.#real.s3.send(new ListObjectsV2Command({ Bucket: this.bucket }));
    const { default_callback_url: url } = await webhooks.find(workspaceId);
    const broadcast = await new DestinationStore(this.#real.dynamo, this.tables.broadcasts).find(workspaceId);
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

  remove(
    idOrSlug: string,
    clients: Clients = this.#real,
    ports: Partial<RemoveWorkspacePorts> = {},
  ): Promise<void> {
    return removeWorkspace(idOrSlug, {
      ...this.#settings(clients),
      workspaces: new WorkspaceStore(clients.dynamo, this.tables.workspaces),
      removals: new RemovalStore(clients.dynamo, this.tables.workspaces),
      keys: new KeyStore(clients.dynamo, this.tables.keys),
      accounts: new AccountStore(clients.dynamo, this.tables.accounts),
      now: () => this.now,
      ...ports,
    });
  }

  async sweep(clients: Clients = this.#real, milliseconds = 60_000): Promise<void> {
    const removals = new RemovalStore(clients.dynamo, this.tables.workspaces);
    const objects = (prefixesOf: (id: string) => string[]) =>
      new StoredObjects(clients.s3, this.bucket, prefixesOf);
    const ports: PurgePorts = {
      ...this.#settings(clients),
      removals,
      holdings: [
        objects((id) => [`${id}/`]),
        new FileStore(clients.dynamo, this.tables.files, () => new Date()),
        objects(workspacePrefixes),
      ],
      now: () => this.now,
    };
    const deadline = new Date(this.now.getTime() + milliseconds);
    for await (const removal of removals.list()) await purgeWorkspace(removal, deadline, ports);
  }

  #settings(clients: Clients) {
    return {
      lists: new ListStore(clients.dynamo, this.tables.lists, () => crypto.randomUUID()),
      providerKeys: new ProviderKeyStore(clients.dynamo, this.tables.providerKeys),
      guardrails: new GuardrailStore(clients.dynamo, this.tables.guardrails),
      webhooks: new WebhookSettingsStore(clients.dynamo, this.tables.webhooks),
      broadcasts: new DestinationStore(clients.dynamo, this.tables.broadcasts),
    };
  }

  removals(): Promise<{ id: string }[]> {
    return Array.fromAsync(new RemovalStore(this.#real.dynamo, this.tables.workspaces).list());
  }
}

export class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * Clients whose process dies at the call with this number, before or after the call's effect. `calls` counts the calls.
 */
export function crashingClients(real: Clients, at: number, when: 'before' | 'after') {
  const counter = { calls: 0 };
  const dying = <Client extends { send: (...args: never[]) => unknown }>(client: Client): Client => {
    const send = async (...args: never[]) => {
      counter.calls++;
      if (counter.calls > at) throw new Crash('the process is dead');
      if (counter.calls === at && when === 'before') throw new Crash('before');
      const answer = await client.send(...args);
      if (counter.calls === at) throw new Crash('after');
      return answer;
    };
    return new Proxy(client, {
      get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
    });
  };
  return { clients: { dynamo: dying(real.dynamo), s3: dying(real.s3) }, counter };
}
