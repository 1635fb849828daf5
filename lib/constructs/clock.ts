import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { asInterface } from './as-interface.ts';
import { GenwayFunction, type GenwayFunctionProps, nearest, Role } from './program.ts';

/** Calls functions on a schedule, with one role for all of them instead of a permission for each. */
export class Clock extends Construct {
  readonly #role: Role;

  constructor(scope: Construct) {
    super(scope, 'Clock');
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }),
    });
  }

  /** The clock of the deployment that contains `scope`. */
  static of(scope: Construct): Clock {
    return nearest(scope, Clock) ?? new Clock(Stack.of(scope));
  }

  /**
   * Failed calls are not retried, because the next run does the same work.
   * @returns the name of the schedule
   */
  call(scope: Construct, id: string, { functionArn }: IFunction, every: Duration): string {
    this.#role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
    const schedule = new CfnSchedule(scope, id, {
      scheduleExpression: ScheduleExpression.rate(every).expressionString,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: functionArn,
        roleArn: this.#role.roleArn,
        retryPolicy: { maximumRetryAttempts: 0 },
      },
    });
    return schedule.ref;
  }
}

const PERIODS = { EveryMinute: Duration.minutes(1), EveryHour: Duration.hours(1) };

interface SweeperProps extends GenwayFunctionProps {
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
