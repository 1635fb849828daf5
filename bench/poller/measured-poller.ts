import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import type { JobMessage } from '../../functions/videos/jobs/job-queue.ts';
import { BUNDLES } from '../../lib/bundling/folders.ts';
import { DeployedStage } from '../../test/deployed/deployed-stage.ts';
import { AwsWorld } from '../../test/engines/index.ts';
import { answerOf } from '../answer-of.ts';
import { openAws } from './aws.ts';
import { openProvider, type Pace } from './provider.ts';
import { rowOf, WaitingJobs } from './waiting-jobs.ts';

type Provider = Awaited<ReturnType<typeof openProvider>>;

export interface Paces {
  readonly quick: Pace;
  readonly slow?: Pace;
}

const doneSchema = v.object({ failed: v.literal(0), microseconds: v.number() });
const NOTHING = { steps: 0, messages: 0, calls: 0, microseconds: 0 };

/** One poller, with the deployed code and settings, its queue and its providers. */
export class MeasuredPoller {
  readonly #jobs = new WaitingJobs();
  readonly #providers = new Map<string, Provider>();
  #function: ChildProcess | undefined;
  #counted = { ...NOTHING };
  #stepsBefore = 0;

  static async open({ quick, slow }: Paces): Promise<MeasuredPoller> {
    const poller = new MeasuredPoller();
    poller.#providers.set('quick', await openProvider(quick));
    if (slow !== undefined) poller.#providers.set('slow', await openProvider(slow));
    await poller.#start();
    return poller;
  }

  async #start(): Promise<void> {
    const aws = await openAws({
      row: rowOf,
      take: (message, delaySeconds) => this.#jobs.take(message, delaySeconds),
      count: () => this.#counted.calls++,
    });
    const bundle = join(BUNDLES, 'poll-videos', 'index.mjs');
    this.#function = fork(join(import.meta.dirname, 'function.ts'), [bundle], {
      execArgv: ['--no-warnings'],
      // Its log tells of every poll that fails.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...environment(aws, this.#providers) },
    });
    await answerOf(this.#function);
  }

  /** Counts from now on, and lets the jobs of the slow provider come. */
  begin(): void {
    this.#counted = { ...NOTHING };
    this.#stepsBefore = this.#quickSteps;
    if (this.#providers.has('slow')) this.#jobs.addSlow();
  }

  /** Since `begin`, with the polls that the quick provider has answered as the steps. */
  get done(): typeof NOTHING {
    return { ...this.#counted, steps: this.#quickSteps - this.#stepsBefore };
  }

  get #quickSteps(): number {
    return this.#providers.get('quick')?.answers() ?? 0;
  }

  /** One invocation with so many of the messages that are waiting. */
  async invoke(size: number): Promise<void> {
    if (this.#function === undefined) throw new Error('the poller has not been started');
    const answer = answerOf(this.#function);
    this.#function.send({ Records: this.#jobs.batch(size).map(recordOf) });
    this.#counted.messages += size;
    this.#counted.microseconds += v.parse(doneSchema, await answer).microseconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#function?.kill('SIGKILL');
    for (const provider of this.#providers.values()) provider.close();
  }
}

function environment(aws: string, providers: ReadonlyMap<string, Provider>) {
  const settings = [...providers].map(([name, { url }]) => [
    name,
    { adapter: 'openai-videos', base_url: url, credential: 'none' },
  ]);
  return {
    ...new DeployedStage(new AwsWorld()).environment('poll-videos'),
    JOBS_QUEUE_URL: `${aws}/jobs`,
    AWS_ENDPOINT_URL: aws,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'none',
    VIDEO_PROVIDERS: JSON.stringify(Object.fromEntries(settings)),
  };
}

const recordOf = (message: JobMessage) => ({
  messageId: message.job_id,
  body: JSON.stringify(message),
  attributes: { ApproximateReceiveCount: '1', ApproximateFirstReceiveTimestamp: String(Date.now()) },
});
