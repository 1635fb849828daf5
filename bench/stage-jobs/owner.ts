import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Account, keyAccount, workspaceAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { micros, microsToUsd } from '../../functions/money/micros.ts';
import { DemoApi } from '../../local/demo/demo-api.ts';
import type { RunningStage } from '../../local/stage.ts';

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
const keySchema = v.object({ data: v.object({ hash: v.string() }), key: v.string() });

/** A separate workspace for the run, its only key, and their accounts. */
export class Owner {
  readonly api: DemoApi;
  readonly #accounts: AccountStore;
  readonly #ids: readonly string[];

  static async create(stage: RunningStage, limitMicros: number): Promise<Owner> {
    const manager = new DemoApi(stage.baseUrl, stage.managementKey);
    const slug = `bench-${Date.now().toString(36)}`;
    const { data: workspace } = await manager.post('/workspaces', { name: 'Bench', slug }, workspaceSchema);
    const asked = { name: 'Bench', workspace_id: workspace.id, limit: microsToUsd(micros(limitMicros)) };
    const { data, key } = await manager.post('/keys', asked, keySchema);
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(stage.aws));
    const store = new AccountStore(client, stage.outputs.AccountsTable);
    return new Owner(new DemoApi(stage.baseUrl, key), store, [
      workspaceAccount(workspace.id),
      keyAccount(data.hash),
    ]);
  }

  private constructor(api: DemoApi, accounts: AccountStore, ids: readonly string[]) {
    this.api = api;
    this.#accounts = accounts;
    this.#ids = ids;
  }

  accounts(): Promise<Account[]> {
    return this.#accounts.read(this.#ids);
  }

  async openJobs(): Promise<number> {
    const [workspace] = await this.accounts();
    return workspace?.open_jobs ?? 0;
  }
}
