import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { routes } from '../../functions/endpoints/definitions.ts';
import { ownMetrics } from '../../functions/telemetry/own-metrics.ts';
import { BUNDLES, IMAGE_CONTEXT } from '../../lib/bundling/folders.ts';
import { thresholdsOf } from '../../lib/monitoring/alarm-rule.ts';
import { type Measure, own } from '../../lib/monitoring/measures.ts';
import { callersPage, machineryPage } from '../../lib/monitoring/pages.ts';
import { isCounted } from '../../local/dashboard/series.ts';
import { readDefinition } from '../../local/dashboard/view.ts';
import { bundleNames } from './bundle-bytes.ts';
import { synthesizeWatch } from './template.ts';
import { alarmsOf, joinedSchema, madeId, plant, rules, watchedStage } from './watched-stage.ts';

const isPart = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.startsWith('A part of');

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    _aws: v.object({
      CloudWatchMetrics: v.array(
        v.object({
          Namespace: v.string(),
          Dimensions: v.array(v.array(v.string())),
          Metrics: v.array(v.object({ Name: v.string() })),
        }),
      ),
    }),
  }),
);

/**
 * All metrics that a stage's programs can emit, as CloudWatch reads them from the log: every function of
 * `functions/telemetry/metrics.ts` with every possible value.
 */
async function emittedMetrics(namespace: string): Promise<string[]> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'emit-metrics.ts')],
    { env: { METRICS_NAMESPACE: namespace, POWERTOOLS_SERVICE_NAME: 'any' }, encoding: 'utf8' },
  );
  if (stderr !== '') throw new Error(stderr);
  const names = stdout
    .trim()
    .split('\n')
    .flatMap((text) => {
      const line = v.parse(lineSchema, text);
      return line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
        Metrics.flatMap(({ Name }) =>
          Dimensions.map((dimensions) => {
            const values = Object.fromEntries(dimensions.map((dimension) => [dimension, line[dimension]]));
            return `${Namespace} ${Name} ${JSON.stringify(values)}`;
          }),
        ),
      );
    });
  return [...new Set(names)].toSorted();
}

let prod: Template;
/** The nested stack with alarms and dashboards. */
let watch: Template;
let local: Template;
beforeAll(async () => {
  ({ prod, watch } = await watchedStage());
  local = await synthesizeWatch('local');
});

const pages = [callersPage(plant), machineryPage(plant)];
const panels = pages.flatMap(({ rows }) => rows.flat());
const measures: readonly Measure[] = [
  ...panels.flatMap(({ lines }) => lines),
  ...rules.flatMap(({ conditions }) => conditions.map(({ measure }) => measure)),
];
const named = ({ namespace, name, dimensions }: Measure) =>
  `${namespace} ${name} ${JSON.stringify(dimensions)}`;

describe('a metric in panels or alarms', () => {
  test('of ours is emitted with the same name and dimensions, and no other metric is emitted', async () => {
    const scaled = named(own('prod', 'UploadsInProgress'));
    const ours = measures.filter(({ namespace }) => namespace === 'Genway/prod').map(named);
    expect([...new Set([...ours, scaled])].toSorted()).toEqual(await emittedMetrics('Genway/prod'));
  });

  test('of ours is emitted by the programs that do the counted work', () => {
    const enders = ['cancel-video', 'copy-videos', 'poll-videos', 'submit-jobs'];
    const { Requests, EndpointFailures, RowsUnreadable, ...others } = countingPrograms();
    expect(others).toEqual({
      CallbacksRefused: ['receive-callback'],
      CanaryRuns: ['run-canary'],
      ChargedMicros: enders,
      Contradictions: ['reconcile-rows'],
      EndsNotTold: enders,
      JobsSettled: enders,
      JobsUnderpriced: ['copy-videos'],
      KeysRefused: ['copy-videos', 'poll-videos', 'submit-jobs'],
      MessagesFailed: [
        'copy-videos',
        'deliver-events',
        'log-generations',
        'make-stills',
        'poll-videos',
        'submit-jobs',
      ],
      ProviderFailures: enders,
      RowsQuarantined: ['sweep-events', 'sweep-jobs'],
      RowsSwept: ['sweep-events', 'sweep-jobs'],
      SecondsToVideo: enders,
      Traces: ['deliver-events'],
      UploadsInProgress: ['upload-server'],
      WebhookAttempts: ['deliver-events'],
    });
    expect(Requests).toEqual([...Object.keys(routes), 'answer-unrouted', 'upload-server'].toSorted());
    expect(EndpointFailures).toEqual(Requests);
    expect(RowsUnreadable).toEqual(
      expect.arrayContaining(['sweep-jobs', 'sweep-events', 'poll-videos', 'list-videos']),
    );
  });

  /** AWS's metrics with the dimensions that their documentation lists. */
  const KNOWN: Readonly<Record<string, readonly string[]>> = {
    'AWS/ApiGateway ApiName': ['5XXError', 'Latency'],
    'AWS/SQS QueueName': [
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesVisible',
      'ApproximateNumberOfMessagesDelayed',
    ],
    'AWS/Lambda FunctionName': ['Errors', 'Throttles', 'ConcurrentExecutions', 'Invocations'],
    'AWS/DynamoDB TableName': ['ConsumedWriteCapacityUnits', 'WriteThrottleEvents', 'ReadThrottleEvents'],
    'AWS/ApplicationELB LoadBalancer': ['RequestCount', 'HTTPCode_ELB_5XX_Count'],
    'AWS/ApplicationELB LoadBalancer,TargetGroup': [
      'HealthyHostCount',
      'HTTPCode_Target_2XX_Count',
      'HTTPCode_Target_5XX_Count',
    ],
    'AWS/ECS ClusterName,ServiceName': ['CPUUtilization', 'MemoryUtilization'],
  };
  test('of AWS is one that AWS emits', () => {
    const theirs = measures.filter(({ namespace }) => namespace.startsWith('AWS/'));
    for (const { namespace, name, dimensions } of theirs) {
      expect([name, KNOWN[`${namespace} ${Object.keys(dimensions).toSorted().join()}`]]).toEqual([
        name,
        expect.arrayContaining([name]),
      ]);
    }
  });

  test('fills every panel, whatever a stage leaves out', () => {
    const { uploadServer: _, ...others } = plant;
    const bare = { ...others, providers: [] };
    const all = [...panels, ...[callersPage(bare), machineryPage(bare)].flatMap(({ rows }) => rows.flat())];
    expect(all.filter(({ lines }) => lines.length === 0)).toEqual([]);
  });
});

describe('alarms', () => {
  test('on the emulator use single metrics, because it has no metric math', () => {
    const alarms = Object.values(local.findResources('AWS::CloudWatch::Alarm'));
    expect(alarms.length).toBeGreaterThan(10);
    expect(alarms.filter(({ Properties }) => Properties.Metrics !== undefined)).toEqual([]);
  });

  test('notify two topics, with the addresses that the stage names', () => {
    prod.resourceCountIs('AWS::SNS::Topic', 2);
    prod.resourceCountIs('AWS::SNS::Subscription', 2);
  });

  test('wake somebody up only for what callers notice now', () => {
    for (const { title, severity } of rules) {
      const isPage =
        /^Requests fail with server errors: (2|5)%|is falling behind|server is down|the canary tries/.test(
          title,
        );
      expect([title, severity]).toEqual([title, isPage ? 'page' : 'ticket']);
    }
  });

  test('of several conditions are one alarm, a composite one where their periods differ', () => {
    expect(alarmsOf(watch).filter(isPart)).toHaveLength(6);
    watch.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 3);
    const math = rules.filter(({ conditions }) => conditions.length > 1).map(({ id }) => id);
    expect(math).toHaveLength(5);
    const ids = alarmsOf(watch).map(({ id }) => id);
    for (const id of math) expect([id, ids.some((one) => one.startsWith(`${id}0`))]).toEqual([id, true]);
  });

  test('that wake somebody up need more than one failed request, or last', () => {
    for (const { conditions, title } of rules.filter(({ severity }) => severity === 'page')) {
      const isSlow = conditions.some(
        ({ minutes, periods = [1, 1] }) => minutes * periods[0] >= 5 && periods[0] > 1,
      );
      const hasFloor = conditions.some(({ measure, over = 0 }) => measure.statistic === 'Sum' && over >= 9);
      expect([title, isSlow || hasFloor]).toEqual([title, true]);
    }
  });

  test('notice within a quarter of an hour that the canary is silent', () => {
    const [silent, ...others] = Object.values(watch.findResources('AWS::CloudWatch::Alarm'))
      .map(({ Properties }) => Properties)
      .filter(
        ({ MetricName, Dimensions }) => MetricName === 'CanaryRuns' && Dimensions[0].Value === 'passed',
      );
    expect(others).toEqual([]);
    expect(silent).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
    expect(silent?.Period * silent?.EvaluationPeriods).toBe(15 * 60);
  });

  test('do not take a message that a worker died with for one that nobody works on', () => {
    const queues = prod.findResources('AWS::SQS::Queue');
    const ages = Object.entries(watch.findResources('AWS::CloudWatch::Alarm')).filter(
      ([, { Properties }]) => Properties.MetricName === 'ApproximateAgeOfOldestMessage',
    );
    const pages = ages.filter(([, { Properties }]) => madeId(Properties.AlarmActions[0])?.includes('page'));
    expect(pages.length).toBeGreaterThan(2);
    for (const [id, { Properties }] of pages) {
      const { VisibilityTimeout } = queues[partOf(id) ?? '']!.Properties;
      expect([id, Properties.Threshold > VisibilityTimeout]).toEqual([id, true]);
    }
  });

  test('watch each worker, sweeper and queue of the stage', () => {
    const all = alarmsOf(watch).map(({ AlarmDescription }) => AlarmDescription);
    for (const part of [
      'submit-jobs fails',
      'poll-videos fails',
      'deliver-events fails',
      'sweep-jobs fails',
      'sweep-events fails',
      'sweep-workspaces fails',
      'poll-videos is throttled',
      'sweep-jobs does not run',
      'reconcile-rows does not run',
      'The jobs queue is falling behind',
      'The submits queue is falling behind',
      'A message of the events queue has failed five times',
      'The upload server is down',
    ]) {
      expect(all.filter((one) => one.startsWith(part))).toHaveLength(1);
    }
  });

  test('of a sweeper that runs once an hour count its failures by the hour, of which each run has one', () => {
    const failing = alarmsOf(watch).find(({ AlarmDescription }) =>
      AlarmDescription.startsWith('reconcile-rows fails'),
    );
    const { Properties } = watch.toJSON().Resources[failing?.id ?? ''];
    expect(Properties).toMatchObject({ Period: 3600, Threshold: 0, DatapointsToAlarm: 3 });
  });

  test('watch the very part that they are named for', () => {
    const watched = new Map(
      alarmsOf(watch).map(({ id, AlarmDescription }) => [AlarmDescription.split('.\n')[0] ?? '', partOf(id)]),
    );
    const queues = [...watched].filter(([title]) => title.endsWith('queue is falling behind'));
    expect(queues.length).toBeGreaterThan(2);
    for (const [title, queue] of queues) {
      const name = title.split(' ')[1];
      const letters = watched.get(`A message of the ${name} queue has failed five times`);
      expect([name, letters]).toEqual([name, deadLettersOf(queue)]);
    }
    const ofPrograms = [...watched].flatMap(([title, part]) => {
      const [, name] = /^([\w-]+) (?:fails|is throttled|does not run)$/.exec(title) ?? [];
      return name === undefined ? [] : [[name, programOf(part)]];
    });
    expect(ofPrograms.length).toBeGreaterThan(10);
    for (const [name, program] of ofPrograms) expect(program).toBe(name);
    const tables = [...watched].filter(([title]) => title.endsWith('table is throttled'));
    expect(tables.map(([, table]) => table?.replace(/.{8}$/, '')).toSorted()).toEqual([
      'Accounts',
      'Keys',
      'VideosJobs',
      'WebhooksEvents',
    ]);
    expect(apiNames(watch)).toEqual(
      Object.values(prod.findResources('AWS::ApiGateway::RestApi')).map(({ Properties }) => Properties.Name),
    );
  });

  test('watch no longer than CloudWatch looks back', () => {
    for (const { conditions } of rules) {
      for (const { minutes, periods = [1, 1] } of conditions) {
        expect(minutes * periods[1]).toBeLessThanOrEqual(24 * 60);
      }
    }
  });

  test('on the emulator are all except composite ones', () => {
    local.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 0);
    local.resourceCountIs('AWS::Logs::QueryDefinition', 0);
    expect(alarmsOf(local).filter(isPart)).toHaveLength(13);
  });
});

describe('a panel', () => {
  const thresholds = (title: string) =>
    thresholdsOf(panels.find((panel) => panel.title === title)!, rules).map(({ label }) => label);

  test('shows the thresholds of alarms on its lines, for sums only of its own period', () => {
    expect(thresholds('Oldest message')).toEqual(['alarm over 1200', 'alarm over 6600']);
    expect(thresholds('Failed messages')).toEqual(['alarm over 2']);
    expect(thresholds('Upload servers')).toEqual(['alarm under 1']);
    expect(thresholds('Server errors')).toEqual([
      'alarm over 0.0144',
      'alarm over 0.006',
      'alarm over 0.003',
    ]);
    expect(thresholds('Latency')).toEqual([]);
    // One dead letter sets the alarm off, so a line would lie on the axis.
    expect(thresholds('Dead letters')).toEqual([]);
  });
});

describe('a dashboard', () => {
  const definitions = (template: Template) =>
    Object.entries(template.findResources('AWS::CloudWatch::Dashboard')).map(([id, { Properties }]) =>
      readDefinition(id, v.parse(joinedSchema, Properties.DashboardBody)),
    );
  const drawn = () => definitions(prod).flatMap((one) => one.panels);

  test('has panels of whole widths, as CloudWatch requires, with a unit and a label for each line', () => {
    for (const { title, unit, width, lines } of drawn()) {
      expect([title, Number.isInteger(width), unit.length > 0]).toEqual([title, true, true]);
      const labels = lines.map(({ label }) => label);
      expect([title, [...new Set(labels)]]).toEqual([title, labels]);
    }
  });

  test('shows the uploads of the function that receives them', () => {
    const [uploads] = drawn().filter(({ title }) => title === 'Uploads');
    expect(programOf(uploads?.lines[0]?.dimensions.FunctionName)).toBe('upload-file');
  });

  test('is also drawn beside a local run, which counts all our metrics', () => {
    const lines = drawn().flatMap((panel) => panel.lines);
    const ours = lines.filter(({ namespace }) => namespace.startsWith('Genway/'));
    expect(ours.length).toBeGreaterThan(30);
    expect(ours.filter((line) => !isCounted(line))).toEqual([]);
    const theirs = new Set(
      lines.filter((line) => !isCounted(line)).map(({ namespace, name }) => `${namespace} ${name}`),
    );
    expect([...theirs].toSorted()).toEqual([
      'AWS/ApplicationELB HTTPCode_ELB_5XX_Count',
      'AWS/ApplicationELB HTTPCode_Target_2XX_Count',
      'AWS/ApplicationELB HTTPCode_Target_5XX_Count',
      'AWS/ApplicationELB HealthyHostCount',
      'AWS/ApplicationELB RequestCount',
      'AWS/DynamoDB ConsumedWriteCapacityUnits',
      'AWS/DynamoDB ReadThrottleEvents',
      'AWS/DynamoDB WriteThrottleEvents',
      'AWS/ECS CPUUtilization',
      'AWS/ECS MemoryUtilization',
      'AWS/Lambda ConcurrentExecutions',
      'AWS/Lambda Errors',
      'AWS/Lambda Throttles',
      'AWS/SQS ApproximateAgeOfOldestMessage',
    ]);
  });
});

test('two dashboards have names that contain the stage', () => {
  const dashboards = Object.values(prod.findResources('AWS::CloudWatch::Dashboard'));
  expect(dashboards.map(({ Properties }) => Properties.DashboardName).toSorted()).toEqual([
    'Genway-prod-callers',
    'Genway-prod-machinery',
  ]);
});

/** The logical id of the resource that an alarm watches, if the alarm has one dimension. */
function partOf(alarm: string): string | undefined {
  const [dimension] = watch.toJSON().Resources[alarm].Properties.Dimensions ?? [];
  const parameter = madeId(dimension?.Value);
  const stacks = Object.values(prod.findResources('AWS::CloudFormation::Stack'));
  const given = stacks.flatMap(({ Properties }) => Properties.Parameters?.[parameter ?? ''] ?? []);
  return madeId(given[0]);
}

function deadLettersOf(queue = ''): string | undefined {
  const { RedrivePolicy } = prod.toJSON().Resources[queue].Properties;
  return madeId(RedrivePolicy.deadLetterTargetArn);
}

const programOf = (id = ''): unknown =>
  prod.toJSON().Resources[id].Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;

function apiNames(template: Template): unknown[] {
  const dimensions = Object.values(template.findResources('AWS::CloudWatch::Alarm')).flatMap(
    ({ Properties }) => Properties.Dimensions ?? [],
  );
  return [...new Set(dimensions.filter(({ Name }) => Name === 'ApiName').map(({ Value }) => Value))];
}

/** For each of our metrics, the programs whose bundles emit it. A bundle contains only functions that it calls. */
function countingPrograms(): Record<string, string[]> {
  const programs = [...bundleNames().map((name) => join(BUNDLES, name)), IMAGE_CONTEXT].map((folder) => {
    const files = globSync('*.mjs', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
    return { name: basename(folder), text: files.join('\n') };
  });
  const emitting = (metric: string) => {
    const emission = new RegExp(`\\{ ?${metric}: ?[^{ ]`);
    const emitters = programs.filter(({ text }) => emission.test(text));
    return emitters.map(({ name }) => name).toSorted();
  };
  return Object.fromEntries(Object.keys(ownMetrics).map((metric) => [metric, emitting(metric)]));
}
