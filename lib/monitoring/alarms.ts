import { Aws, Duration, type NestedStack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule as AlarmExpression,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  type IAlarmAction,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type StageConfig, titleOf } from '../stage/config.ts';
import { type AlarmRule, type Condition, dashboardOf, type Severity } from './alarm-rule.ts';
import { metricOf } from './cloudwatch.ts';
import { dashboardName } from './measures.ts';
import { queries, savedAs } from './queries.ts';

interface AlarmsProps {
  readonly config: StageConfig;
  readonly rules: readonly AlarmRule[];
  /** Contains the alarms; the topics stay in the main stack, because people subscribe to them. */
  readonly watch: NestedStack;
}

/** Makes an alarm of each rule, and notifies the topic of its severity. */
export class Alarms extends Construct {
  /** One for each rule. */
  readonly all: readonly IAlarm[];
  /** Those of this deployment; others can subscribe to them. */
  readonly topics: Readonly<Record<Severity, ITopic>>;
  readonly #notifications: Readonly<Record<Severity, Notifications>>;

  readonly #watch: NestedStack;

  constructor(scope: Construct, id: string, { config, rules, watch }: AlarmsProps) {
    super(scope, id);
    this.#watch = watch;
    this.#notifications = {
      page: new Notifications(this, 'page', config),
      ticket: new Notifications(this, 'ticket', config),
    };
    const { page, ticket } = this.#notifications;
    this.topics = { page: page.topic, ticket: ticket.topic };
    this.all = rules.flatMap((rule) => this.#alarm(rule, config));
  }

  #alarm(rule: AlarmRule, config: StageConfig): IAlarm[] {
    const isOnAws = config.platform === 'aws';
    // The emulator has no metric math.
    const parts = isOnAws ? byPeriod(rule.conditions) : rule.conditions.map((one): SamePeriod => [one]);
    const why = describeAlarm(rule, config, this.#watch.region);
    const isSingle = parts.length === 1;
    const alarms = parts.map((part, index) => {
      // CloudFormation cannot change a resource’s type, and the id alone was that of a composite alarm.
      const id = rule.conditions.length === 1 ? rule.id : `${rule.id}${index}`;
      return this.#alarmOn(id, part, isSingle ? why : `A part of: ${rule.title}`);
    });
    if (isSingle) return alarms.map((alarm) => this.#tell(rule, alarm));
    // The emulator's CloudFormation has no composite alarms; their parts still show the state.
    if (!isOnAws) return alarms;
    const whole = new CompositeAlarm(this.#watch, rule.id, {
      alarmRule: AlarmExpression.allOf(
        ...alarms.map((alarm) => AlarmExpression.fromAlarm(alarm, AlarmState.ALARM)),
      ),
      alarmDescription: why,
    });
    return [this.#tell(rule, whole)];
  }

  #alarmOn(id: string, [first, ...others]: SamePeriod, why: string): Alarm {
    const { over, under, minutes, periods = [1, 1], missing } = first;
    const compared =
      others.length > 0
        ? { metric: whetherAll([first, ...others]), threshold: 0, comparisonOperator: OVER }
        : {
            metric: metricOf(first.measure, minutes),
            threshold: over ?? under ?? 0,
            comparisonOperator: over === undefined ? UNDER : OVER,
          };
    return new Alarm(this.#watch, id, {
      ...compared,
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

const { GREATER_THAN_THRESHOLD: OVER, LESS_THAN_THRESHOLD: UNDER } = ComparisonOperator;

type SamePeriod = readonly [Condition, ...Condition[]];

/** One alarm can watch several metrics if their periods are the same. A composite alarm costs five times a metric. */
function byPeriod(conditions: readonly Condition[]): SamePeriod[] {
  const groups = new Map<string, [Condition, ...Condition[]]>();
  for (const condition of conditions) {
    const { minutes, periods, missing } = condition;
    const key = JSON.stringify([minutes, periods, missing]);
    const group = groups.get(key);
    if (group) group.push(condition);
    else groups.set(key, [condition]);
  }
  return [...groups.values()];
}

/** 1 while all conditions are true, else 0. */
function whetherAll(conditions: SamePeriod): MathExpression {
  const [{ minutes }] = conditions;
  const terms = conditions.map(({ over, under = 0 }, index) =>
    over === undefined ? `m${index} < ${under}` : `m${index} > ${over}`,
  );
  return new MathExpression({
    expression: `IF(${terms.join(' AND ')}, 1, 0)`,
    usingMetrics: Object.fromEntries(
      conditions.map(({ measure }, index) => [`m${index}`, metricOf(measure, minutes)]),
    ),
    period: Duration.minutes(minutes),
  });
}

/**
 * What a notification says: what is wrong, where to look in the AWS console, and the section of the runbook. A mail
 * shows it as plain text, so each link ends its line.
 *
 * @param region one that is not known before the deployment is taken for a commercial one
 */
const describeAlarm = (rule: AlarmRule, config: StageConfig, region: string): string =>
  [
    `${rule.title}.`,
    ...(config.platform === 'aws' ? placesToLook(rule, config, consoleIn(region)) : []),
    `What to do: docs/runbook.md#${anchorOf(rule.page)}`,
  ].join('\n');

function placesToLook({ page, queue }: AlarmRule, config: StageConfig, host: string): string[] {
  const home = (service: string) => `https://${Aws.REGION}.${host}/${service}/home?region=${Aws.REGION}`;
  const saved = Object.entries(queries).filter(([, query]) => query.page === page);
  const names = saved.map(([name]) => savedAs(config, name)).join(', ');
  return [
    `Dashboard: ${home('cloudwatch')}#dashboards/dashboard/${dashboardName(titleOf(config), dashboardOf[page])}`,
    `Saved queries ${names}: ${home('cloudwatch')}#logsV2:logs-insights`,
    ...(queue === undefined ? [] : [`Queue: ${home('sqs/v3')}#/queues/${encodedUrlOf(queue)}`]),
  ];
}

/** The host of AWS's console: China and GovCloud have their own. */
function consoleIn(region: string): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}

/** Put together here, because CloudFormation cannot encode a queue's URL. */
const encodedUrlOf = (queue: string): string =>
  `https%3A%2F%2Fsqs.${Aws.REGION}.${Aws.URL_SUFFIX}%2F${Aws.ACCOUNT_ID}%2F${queue}`;

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/**
 * Where alarms of one severity go: to a topic of the stage, which others can subscribe to, and to topics that the
 * deployer already has.
 */
class Notifications extends Construct {
  readonly topic: Topic;
  readonly actions: readonly IAlarmAction[];

  constructor(scope: Construct, severity: Severity, config: StageConfig) {
    super(scope, severity);
    // Not encrypted with SNS's own key, because alarms could not publish to it. Their text is no secret.
    this.topic = new Topic(this, 'Topic', {
      displayName: `${titleOf(config)}: ${severity}`,
      enforceSSL: true,
    });
    // A topic with its own policy only accepts what this policy allows.
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    this.topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    const targets = config.alarms[severity];
    for (const target of targets.filter((one) => !one.startsWith('arn:'))) {
      this.topic.addSubscription(
        target.startsWith('https:') ? new UrlSubscription(target) : new EmailSubscription(target),
      );
    }
    const theirs = targets
      .filter((one) => one.startsWith('arn:'))
      .map((arn, index) => Topic.fromTopicArn(this, `Theirs${index}`, arn));
    this.actions = [this.topic, ...theirs].map((topic) => new SnsAction(topic));
  }
}
