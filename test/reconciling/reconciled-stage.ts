import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AccountStore } from '../../functions/money/account-store.ts';
import { AccountAudit } from '../../functions/reconciling/account-audit.ts';
import { CursorStore } from '../../functions/reconciling/audit.ts';
import { EventAudit } from '../../functions/reconciling/event-audit.ts';
import { JobAudit } from '../../functions/reconciling/job-audit.ts';
import { type ReconcilePorts, reconcile } from '../../functions/reconciling/reconcile.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import { SweptStage } from '../videos/worker/swept-stage.ts';

type Table = 'accounts' | 'events' | 'jobs';
type Fields = Record<string, unknown>;

/** A stage with jobs and the reconciler. */
export class ReconciledStage extends SweptStage {
  readonly #own = this.world.startProcess('reconciler');
  /** The contradictions that were logged. */
  readonly told: Fields[] = [];
  /** The number of contradictions in each run. */
  readonly counts: number[] = [];
  suspects = 0;
  /** Runs just before the reconciler writes a repair. */
  beforeRepair = async (): Promise<void> => undefined;
  readonly #audits;
  readonly #ports: ReconcilePorts;

  constructor(provider: VideoProvider, change: Partial<ReconcilePorts> = {}) {
    super(provider);
    const { dynamo: client } = this.#own;
    const { now, wait: pause } = this.world.clock;
    const { jobs: jobsTable, events: eventsTable, accounts } = this.tables;
    const shared = {
      client,
      jobsTable,
      eventsTable,
      accounts: new AccountStore(client, accounts),
      events: new EventStore(client, eventsTable),
      now,
    };
    this.#audits = [new EventAudit(shared), new JobAudit(shared), new AccountAudit(shared)];
    const log = {
      info: (_: string, { suspects }: Fields = {}) => {
        this.suspects += Number(suspects);
      },
      warn: () => undefined,
      error: (_: string, fields: Fields = {}) => void this.told.push(fields),
    };
    const countContradictions = (count: number) => {
      this.counts.push((this.counts.pop() ?? 0) + count);
    };
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand') await this.beforeRepair();
          return next(args);
        },
      { step: 'initialize' },
    );
    const cursors = new CursorStore(client, accounts);
    this.#ports = { client, cursors, now, pause, countContradictions, log, ...change };
  }

  async reconcile(): Promise<void> {
    this.counts.push(0);
    await reconcile(this.#audits, this.#ports);
  }

  /** The number of pages read so far. */
  scans(): number {
    const { calls } = this.world.journal;
    return calls.filter(({ process, operation }) => process === 'reconciler' && operation === 'Scan').length;
  }

  async read(table: Table, id: string): Promise<Fields> {
    const Key = table === 'accounts' ? { account: id } : { id };
    const get = new GetCommand({ TableName: this.tables[table], Key, ConsistentRead: true });
    return (await this.#own.dynamo.send(get)).Item ?? {};
  }

  /** Changes fields of a row. `undefined` removes a field. */
  async plant(table: Table, id: string, fields: Fields): Promise<void> {
    const Key = table === 'accounts' ? { account: id } : { id };
    const Item = { ...(await this.read(table, id)), ...Key, ...fields };
    await this.#own.dynamo.send(new PutCommand({ TableName: this.tables[table], Item }));
  }
}
