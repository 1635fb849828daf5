import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { PaymentRequired, RateLimited } from '../../functions/http/errors.ts';
import { CREDITS } from '../../functions/money/account.ts';
import { isOpenLease, lentTo, sum, unused } from '../../functions/money/lease.ts';
import { micros } from '../../functions/money/micros.ts';
import { returnIdleLeases } from '../../functions/reconciling/return-leases.ts';
import { type Job, jobSchema } from '../../functions/videos/jobs/job.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld, type Fault, noFaults } from '../engines/index.ts';

// The test makes thousands of calls, and the machine may be busy.
waitBy(new AwsWorld());
const { JobLedger } = await import('../contract/job-ledger.ts');
const { JobMoved } = await import('../../functions/videos/jobs/job-steps.ts');
const { grantCredits } = await import('../../functions/money/grant-credits.ts');
const { AccountStore } = await import('../../functions/money/account-store.ts');

const deed = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      workspace: fc.nat(3),
      micros: fc.nat(400),
      isByok: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(),
      part: fc.option(fc.nat(4), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('grant' as const), micros: fc.integer({ min: 1, max: 3_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reclaim' as const) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer Each> ? Each : never;

/** The call at which the process dies, if it makes that many. */
const crash = fc.option(
  fc.record({
    nth: fc.integer({ min: 1, max: 6 }),
    fault: fc.constantFrom<Fault>('crash before', 'crash after'),
  }),
  { nil: undefined, freq: 3 },
);
/** Deeds at the same time, each in its own process. */
const step = fc.array(fc.record({ deed, crash }), { minLength: 1, maxLength: 3 });
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/**
 * A submit may only ask its caller to try again if others wrote at least this often meanwhile. Its first look at the
 * credits may show half of a write, and its second look the rest. With fewer writes it must say whether there is
 * enough.
 */
const FEWEST_WRITES = 2;

/** The credits of four workspaces, and the sums that should result from the rows of jobs and grants. */
class Stage {
  readonly #world: AwsWorld;
  readonly #ledger: Awaited<ReturnType<typeof JobLedger.create>>;
  readonly #dynamo;
  #ids = 0;

  constructor(
    world: AwsWorld,
    dynamo: ReturnType<AwsWorld['startProcess']>['dynamo'],
    ledger: Stage['ledger'],
  ) {
    this.#world = world;
    this.#dynamo = dynamo;
    this.#ledger = ledger;
  }

  get ledger() {
    return this.#ledger;
  }

  static async begin(): Promise<Stage> {
    const world = new AwsWorld();
    waitBy(world);
    const { dynamo } = world.startProcess();
    const stage = new Stage(world, dynamo, await JobLedger.create(dynamo));
    await stage.#do({ kind: 'grant', micros: 2_000 }, stage.ledger, dynamo);
    return stage;
  }

  async apply(deeds: Step): Promise<void> {
    const before = await this.truth();
    const { calls } = this.#world.journal;
    const begun = calls.length;
    const othersWrites = (name: string) =>
      calls.slice(begun).filter((call) => call.operation === 'TransactWriteItems' && call.process !== name)
        .length;
    const asked = sum(deeds, ({ deed: each }) => (each.kind === 'submit' && !each.isByok ? each.micros : 0));
    const processes = deeds.map(({ deed: each, crash: dies }, place) => {
      const name = `p${++this.#ids}`;
      const { process, dynamo } = this.#world.startProcess(name);
      let calls = 0;
      const plan = (call: { process: string }): Fault | undefined =>
        call.process === name && ++calls === dies?.nth ? dies.fault : undefined;
      return { each, place, process, plan, dynamo, ledger: this.ledger.beside(dynamo) };
    });
    this.#world.faults = (call) => processes.map(({ plan }) => plan(call)).find((fault) => fault);
    await Promise.all(
      processes.map(({ each, process, dynamo, ledger }) =>
        Promise.race([process.crashed, this.#do(each, ledger, dynamo)]).catch((error: unknown) => {
          if (error instanceof JobMoved) return;
          if (error instanceof RateLimited && othersWrites(process.name) >= FEWEST_WRITES) return;
          // The submit may lack what the other deeds of this step took. It must not lack what they left.
          if (error instanceof PaymentRequired && each.kind === 'submit' && asked > before.left) return;
          throw error;
        }),
      ),
    );
    this.#world.faults = noFaults;
    await this.#world.clock.wait(20);
  }

  async #do(each: Deed, ledger: Stage['ledger'], client: Stage['dynamo']): Promise<unknown> {
    const now = () => this.ledger.now;
    const accounts = new AccountStore(client, this.ledger.tables.accounts);
    switch (each.kind) {
      case 'submit': {
        const owner = { key: `k${each.workspace}`, workspace: `w${each.workspace}` };
        return ledger.accept(owner, each.micros, {}, { id: `vid_${++this.#ids}`, is_byok: each.isByok });
      }
      case 'end': {
        const open = (await this.#jobs()).filter(({ phase }) => phase !== 'settled');
        const job = open[each.which % Math.max(1, open.length)];
        if (job === undefined) return undefined;
        return ledger.settle(job, each.part && Math.floor((job.estimate_micros * each.part) / 4));
      }
      case 'grant': {
        const ports = { client, accounts, now, newId: () => String(++this.#ids) };
        const grant = { micros: micros(each.micros), note: null, grantedBy: 'test' };
        return grantCredits(grant, () => ({}), ports);
      }
      case 'reclaim':
        this.ledger.now = new Date(this.ledger.now.getTime() + 3_600_001);
        return returnIdleLeases({ leases: accounts.leases, now, log: { info: () => undefined } });
    }
  }

  get dynamo() {
    return this.#dynamo;
  }

  async #scan(TableName: string): Promise<Record<string, unknown>[]> {
    return (await this.#dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
  }

  async #jobs(): Promise<Job[]> {
    const rows = await this.#scan(this.ledger.tables.jobs);
    return v.parse(
      v.array(jobSchema),
      rows.filter(({ phase }) => phase !== undefined),
    );
  }

  async truth() {
    const [jobs, rows] = await Promise.all([this.#jobs(), this.#scan(this.ledger.tables.accounts)]);
    const own = jobs.filter(({ is_byok }) => !is_byok);
    const isOpen = ({ phase }: Job) => phase !== 'settled';
    const granted = sum(rows, ({ account, micros }) =>
      String(account).startsWith('grant#') ? Number(micros) : 0,
    );
    const held = sum(own.filter(isOpen), ({ estimate_micros }) => estimate_micros);
    const spent = sum(own, ({ cost_micros = 0 }) => cost_micros);
    const byok = sum(jobs, ({ is_byok, cost_micros = 0 }) => (is_byok ? cost_micros : 0));
    return { granted, held, spent, byok, left: granted - held - spent, open: jobs.filter(isOpen).length };
  }

  async check(): Promise<void> {
    const { granted, held, spent, byok, left, open } = await this.truth();
    const { pool, leases } = await this.ledger.leases.rows();
    expect(sum([pool, ...leases], unused)).toBe(left);
    expect(sum(leases, lentTo)).toBe(pool.leased);
    for (const row of [pool, ...leases]) expect(unused(row)).toBeGreaterThanOrEqual(0);
    expect(leases.every(isOpenLease)).toBe(true);
    expect(await this.ledger.credits()).toMatchObject({
      account: CREDITS,
      limits: { lifetime: { micros: granted } },
      reserved: held,
      open_jobs: open,
      lifetime: { committed: held + spent, spent, byok },
    });
  }
}

test('leases and pool together are what was granted and not spent, and no submit is refused while that is enough', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const stage = await Stage.begin();
      for (const deeds of steps) {
        await stage.apply(deeds);
        await stage.check();
      }
    }),
    { numRuns: 25 },
  );
});
