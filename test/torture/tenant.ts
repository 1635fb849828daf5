import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type SeenJob as EndedJob, readJobs } from '../../bench/stage-jobs/ended-jobs.ts';
import { type Account, keyAccount, workspaceAccount } from '../../functions/money/account.ts';
import type { AccountStore } from '../../functions/money/account-store.ts';
import { DemoApi } from '../../local/demo/demo-api.ts';
import type { RunInfo } from './local-run.ts';

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
const keySchema = v.object({ data: v.object({ hash: v.string() }), key: v.string() });

/** A workspace and its key, with what the API and the ledger finally say about it. */
export class Tenant {
  readonly name: string;
  readonly key: string;
  readonly #api: DemoApi;
  readonly #accounts: readonly string[];

  static async open(
    name: string,
    { base_url: baseUrl, management_key: management }: RunInfo,
  ): Promise<Tenant> {
    const manager = new DemoApi(baseUrl, management);
    const slug = `${name}-${Date.now().toString(36)}`;
    const { data: workspace } = await manager.post('/workspaces', { name, slug }, workspaceSchema);
    const asked = { name, workspace_id: workspace.id, limit: 10_000 };
    const { data, key } = await manager.post('/keys', asked, keySchema);
    return new Tenant(name, key, new DemoApi(baseUrl, key), [
      workspaceAccount(workspace.id),
      keyAccount(data.hash),
    ]);
  }

  private constructor(name: string, key: string, api: DemoApi, accounts: readonly string[]) {
    this.name = name;
    this.key = key;
    this.#api = api;
    this.#accounts = accounts;
  }

  jobs = (): Promise<EndedJob[]> => readJobs(this.#api);

  ledger = (store: AccountStore): Promise<Account[]> => store.read(this.#accounts);

  /** Whether all its jobs end before the deadline. */
  async hasEnded(deadline: number): Promise<boolean> {
    const openSchema = v.object({ data: v.array(v.unknown()) });
    while (Date.now() < deadline) {
      const pages = await Promise.all(
        ['pending', 'in_progress'].map((status) =>
          this.#api.get(`/videos?status=${status}&limit=1`, openSchema),
        ),
      );
      if (pages.every(({ data }) => data.length === 0)) return true;
      await sleep(2_000);
    }
    return false;
  }
}
