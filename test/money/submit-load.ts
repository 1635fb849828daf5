import { PaymentRequired } from '../../functions/http/errors.ts';
import type { JobLedger } from '../contract/job-ledger.ts';
import type { AwsWorld } from '../engines/index.ts';

interface Load {
  readonly submitsPerSecond: number;
  readonly seconds: number;
  readonly owners: readonly { readonly key: string; readonly workspace: string }[];
  /** The estimate of each job. Its cost is half of that, or nothing. */
  readonly micros: number;
  readonly jobMilliseconds: number;
}

interface LoadResult {
  readonly submits: number;
  readonly accepted: number;
  /** Refused because the money is used up. */
  readonly unaffordable: number;
  /** Refused for any other reason. */
  readonly refused: readonly unknown[];
  /** Errors of jobs whose end could not be written. */
  readonly unended: readonly unknown[];
}

/** Submits at random times from several warm instances and ends the accepted jobs, all in the world's time. */
export async function runLoad(
  world: AwsWorld,
  instances: readonly JobLedger[],
  load: Load,
): Promise<LoadResult> {
  const { clock, random } = world;
  let accepted = 0;
  let unaffordable = 0;
  const refused: unknown[] = [];
  const unended: unknown[] = [];
  const submit = async (number: number) => {
    const owner = load.owners[Math.floor(random() * load.owners.length)];
    const ledger = instances[Math.floor(random() * instances.length)];
    if (owner === undefined || ledger === undefined) throw new Error('there are no submitters');
    try {
      const job = await ledger.accept(owner, load.micros, {}, { id: `vid_${number}` });
      accepted++;
      await clock.wait(load.jobMilliseconds);
      const cost = number % 4 === 0 ? undefined : load.micros / 2;
      await ledger.settle(job, cost).catch((error: unknown) => void unended.push(error));
    } catch (error) {
      if (error instanceof PaymentRequired) unaffordable++;
      else refused.push(error);
    }
  };
  const under: Promise<void>[] = [];
  const end = clock.now().getTime() + load.seconds * 1_000;
  while (clock.now().getTime() < end) {
    under.push(submit(under.length));
    await clock.wait((-Math.log(1 - random()) * 1_000) / load.submitsPerSecond);
  }
  await Promise.all(under);
  return { submits: under.length, accepted, unaffordable, refused, unended };
}
