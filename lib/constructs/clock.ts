import { Aws, type Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { Role } from './role.ts';

/** Calls functions by the clock, as one role for all of them, instead of a permission at each. */
export class Clock extends Construct {
  readonly #role: Role;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }),
    });
  }

  /** The one of a stack. */
  static of(scope: Construct): Clock {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild(CLOCK);
    return found instanceof Clock ? found : new Clock(stack, CLOCK);
  }

  /**
   * The next run does what one could not: none is tried again.
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

const CLOCK = 'Clock';
