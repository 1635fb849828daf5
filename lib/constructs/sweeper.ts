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

/** A function that runs on a schedule and repairs what a crash has left unfinished. */
export class Sweeper extends GenwayFunction {
  /** The schedule that calls it; an operator can turn it off. */
  readonly schedule: string;
  readonly runs: keyof typeof PERIODS;

  constructor(scope: Construct, id: string, { runs = 'EveryMinute', ...props }: SweeperProps) {
    super(scope, id, { timeout: Duration.seconds(50), ...props });
    this.runs = runs;
    this.configureAsyncInvoke({ retryAttempts: 0 });
    this.schedule = Clock.of(this).call(scope, `${id}${runs}`, asInterface<IFunction>(this), PERIODS[runs]);
  }
}
