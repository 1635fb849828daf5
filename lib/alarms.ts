import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { WorkQueue } from './constructs/queue-consumer.ts';
import {
  contradictions,
  oldestMessage,
  quarantinedJobs,
  serverErrorShare,
  underpricedJobs,
} from './measures.ts';

export interface AlarmsProps {
  readonly stage: string;
  readonly api: SpecRestApi;
  readonly queues: Readonly<Record<string, WorkQueue>>;
}

/** Longer than any wait that the schedules ask a queue for (15 minutes), so that only neglect reaches it. */
const STUCK_SECONDS = 20 * 60;

/**
 * What wakes the people on call: few things, each with its page in `docs/runbook.md`. They notify nobody until
 * a deployer subscribes to them.
 */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, { stage, api, queues }: AlarmsProps) {
    super(scope, id);
    this.#above('ServerErrors', serverErrorShare(api), 0.01, 'More than 1 % of requests fail on our side');
    const why = 'A provider charges more than the catalogue says';
    this.#above('Underpriced', underpricedJobs(stage, 'copy-videos'), 0, why);
    this.#above('Quarantined', quarantinedJobs(stage, 'sweep-jobs'), 0, 'A job has been quarantined');
    const wrong = 'Rows contradict each other';
    this.#above('Contradictions', contradictions(stage, 'reconcile-rows'), 0, wrong);
    for (const [name, queue] of Object.entries(queues)) {
      const dead = queue.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM });
      this.#above(`${name}DeadLetters`, dead, 0, `A message of the ${name} queue has failed five times`);
      const oldest = oldestMessage(queue);
      this.#above(`${name}Stuck`, oldest, STUCK_SECONDS, `The ${name} queue is not being worked off`);
    }
  }

  #above(id: string, metric: IMetric, threshold: number, why: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // No requests and no messages are no failures.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${why}. What to do: docs/runbook.md`,
    });
    this.all.push(alarm);
  }
}
