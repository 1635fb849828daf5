import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';

/** A function that runs every minute and puts right what a crash has left. */
export class Sweeper extends GenwayFunction {
  constructor(scope: Construct, id: string, props: GenwayFunctionProps) {
    super(scope, id, { ...props, timeout: Duration.seconds(50) });
    this.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(scope, `${id}EveryMinute`, {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute's run does what this one could not.
      targets: [new LambdaFunction(this, { retryAttempts: 0 })],
    });
  }
}
