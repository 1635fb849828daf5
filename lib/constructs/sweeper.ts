import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';

const PERIODS = { EveryMinute: Duration.minutes(1), EveryHour: Duration.hours(1) };

export interface SweeperProps extends GenwayFunctionProps {
  /** @default EveryMinute */
  readonly runs?: keyof typeof PERIODS;
}

/** A function that runs by the clock and puts right what a crash has left. */
export class Sweeper extends GenwayFunction {
  constructor(scope: Construct, id: string, { runs = 'EveryMinute', ...props }: SweeperProps) {
    super(scope, id, { timeout: Duration.seconds(50), ...props });
    this.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(scope, `${id}${runs}`, {
      schedule: Schedule.rate(PERIODS[runs]),
      // The next run does what this one could not.
      targets: [new LambdaFunction(this, { retryAttempts: 0 })],
    });
  }
}
