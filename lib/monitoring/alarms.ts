import type { NestedStack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule as AlarmExpression,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';
import { describeAlarm } from './alarm-description.ts';
import type { AlarmRule, Condition, Severity } from './alarm-rule.ts';
import { metricOf } from './cloudwatch.ts';
import { Notifications } from './notifications.ts';

export interface AlarmsProps {
  readonly config: StageConfig;
  readonly rules: readonly AlarmRule[];
  /** Contains the alarms; the topics stay in the main stack, because people subscribe to them. */
  readonly watch: NestedStack;
}

/** Makes an alarm of each rule, and notifies the topic of its severity. */
export class Alarms extends Construct {
  /** One for each rule. */
  readonly all: readonly IAlarm[];
  readonly #notifications: Readonly<Record<Severity, Notifications>>;

  readonly #watch: NestedStack;

  constructor(scope: Construct, id: string, { config, rules, watch }: AlarmsProps) {
    super(scope, id);
    this.#watch = watch;
    this.#notifications = {
      page: new Notifications(this, 'page', config),
      ticket: new Notifications(this, 'ticket', config),
    };
    this.all = rules.flatMap((rule) => this.#alarm(rule, config));
  }

  #alarm(rule: AlarmRule, config: StageConfig): IAlarm[] {
    const [first, ...others] = rule.conditions;
    if (first === undefined) return [];
    const why = describeAlarm(rule, config, this.#watch.region);
    if (others.length === 0) return [this.#tell(rule, this.#alarmOn(rule.id, first, why))];
    const parts = rule.conditions.map((condition, index) =>
      this.#alarmOn(`${rule.id}${index}`, condition, `A part of: ${rule.title}`),
    );
    // The emulator's CloudFormation has no composite alarms; their parts still show the state.
    if (config.platform === 'emulator') return parts;
    const whole = new CompositeAlarm(this.#watch, rule.id, {
      alarmRule: AlarmExpression.allOf(
        ...parts.map((part) => AlarmExpression.fromAlarm(part, AlarmState.ALARM)),
      ),
      alarmDescription: why,
    });
    return [this.#tell(rule, whole)];
  }

  #alarmOn(
    id: string,
    { measure, over, under, minutes, periods = [1, 1], missing }: Condition,
    why: string,
  ): Alarm {
    return new Alarm(this.#watch, id, {
      metric: metricOf(measure, minutes),
      threshold: over ?? under ?? 0,
      comparisonOperator:
        over === undefined
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: periods[0],
      evaluationPeriods: periods[1],
      treatMissingData: missing === 'breaching' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: why,
    });
  }

  #tell<Told extends Alarm | CompositeAlarm>({ severity }: AlarmRule, alarm: Told): Told {
    const { actions } = this.#notifications[severity];
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    return alarm;
  }
}
