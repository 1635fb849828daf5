import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { asInterface } from './as-interface.ts';
import { Clock } from './clock.ts';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';

const PERIODS = { EveryMinute: Duration.minutes(1), EveryHour: Duration.hours(1) };

export interface SweeperProps extends GenwayFunctionProps {
  /** @default EveryMinute */
  readonly runs?: keyof typeof PERIODS;
}

/** A function that runs by the clock and puts right what a crash has left. */
export class Sweeper extends GenwayFunction {
  /** What calls it, and can be turned off. */
  readonly schedule: string;
  readonly runs: keyof typeof PERIODS;

  constructor(scope: Construct, id: string, { runs = 'EveryMinute', ...props }: SweeperProps) {
    super(scope, id, { timeout: Duration.seconds(50), ...props });
    this.runs = runs;
    this.configureAsyncInvoke({ retryAttempts: 0 });
    this.schedule = Clock.of(this).call(scope, `${id}${runs}`, asInterface<IFunction>(this), PERIODS[runs]);
  }
}
