import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { routes } from '../../functions/http/routes.ts';
import { ownMetrics } from '../../functions/own-metrics.ts';
import { BUNDLES } from '../../lib/function-bundles.ts';
import { own } from '../../lib/measures.ts';
import { dashboardOf } from '../../lib/monitoring/alarm-rule.ts';
import { alarmRules } from '../../lib/monitoring/alarm-rules.ts';
import { callersPage } from '../../lib/monitoring/callers.ts';
import { machineryPage } from '../../lib/monitoring/machinery.ts';
import type { Measure, Plant } from '../../lib/monitoring/measure.ts';
import { queries } from '../../lib/monitoring/queries.ts';
import { thresholdsOf } from '../../lib/monitoring/thresholds.ts';
import { IMAGE_CONTEXT } from '../../lib/upload-server/image-context.ts';
import { readDefinition } from '../../local/dashboard/definition.ts';
import { isCounted } from '../../local/dashboard/sources.ts';
import { bundleNames } from './bundle-bytes.ts';
import { emittedMetrics } from './emitted-metrics.ts';
import { synthesize, synthesizeWatch } from './template.ts';

const alarms = {
  page: ['on-call@example.com', 'https://example.com/page'],
  ticket: ['arn:aws:sns:eu-central-1:123456789012:tickets'],
};
const videos = { providers: { sandbox: { credential: 'workspace' as const } }, models: [] };
const runbook = readFileSync('docs/runbook.md', 'utf8');

let prod: Template;
/** The nested stack with alarms and dashboards. */
let watch: Template;
let local: Template;
beforeAll(async () => {
  prod = await synthesize('prod', { alarms, videos });
  watch = await synthesizeWatch('prod', { alarms, videos });
  local = await synthesizeWatch('local');
});

/** A text as CloudFormation puts it together, with the ids of resources in the places of their names. */
const joinedSchema = v.pipe(
  v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
  v.transform((text) =>
    text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : (madeId(part) ?? 'x'))).join(''),
  ),
);
const alarmSchema = v.object({ AlarmDescription: v.union([v.string(), joinedSchema]) });
const alarmsOf = (template: Template) =>
  [
    ...Object.entries(template.findResources('AWS::CloudWatch::Alarm')),
    ...Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm')),
  ].map(([id, { Properties }]) => ({ id, ...v.parse(alarmSchema, Properties) }));
const isPart = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.startsWith('A part of');
/** Whether an alarm notifies somebody by itself. */
const isWhole = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.includes('What to do');

/** A stage with every part. All names are invented. */
const plant: Plant = {
  stage: 'prod',
  api: 'Genway-prod',
  queues: { jobs: { name: 'jobs', deadLetters: 'jobs-dead' } },
  consumers: { 'poll-videos': 'poller' },
  sweepers: { 'sweep-jobs': 'sweeper' },
  hourly: [],
  hasCanary: true,
  uploader: 'uploader',
  tables: { jobs: 'jobs' },
  providers: ['sandbox'],
  uploadServer: { loadBalancer: 'app/x/1', targetGroup: 'targetgroup/x/1', cluster: 'c', service: 's' },
};
const pages = [callersPage(plant), machineryPage(plant)];
const panels = pages.flatMap(({ rows }) => rows.flat());
const rules = alarmRules(plant);
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
    const enders = ['cancel-video', 'copy-videos', 'poll-videos'];
    const { Requests, RowsUnreadable, ...others } = countingPrograms();
    expect(others).toEqual({
      CanaryRuns: ['run-canary'],
      ChargedMicros: enders,
      Contradictions: ['reconcile-rows'],
      JobsSettled: enders,
      JobsUnderpriced: ['copy-videos'],
      KeysRefused: ['copy-videos', 'poll-videos'],
      MessagesFailed: ['copy-videos', 'deliver-events', 'log-generations', 'poll-videos'],
      ProviderFailures: enders,
      RowsQuarantined: ['sweep-events', 'sweep-jobs'],
      RowsSwept: ['sweep-events', 'sweep-jobs'],
      SecondsToVideo: enders,
      Traces: ['deliver-events'],
      UploadsInProgress: ['upload-server'],
      WebhookAttempts: ['deliver-events'],
    });
    expect(Requests).toEqual([...Object.keys(routes), 'answer-unrouted', 'upload-server'].toSorted());
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
  test('use single metrics, because the emulator has no metric math', () => {
    const alarms = Object.values(watch.findResources('AWS::CloudWatch::Alarm'));
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
        /^Requests fail on our side: (2|5) %|is not being worked off|server is down|the canary tries/.test(
          title,
        );
      expect([title, severity]).toEqual([title, isPage ? 'page' : 'ticket']);
    }
  });

  test('of several conditions are one composite alarm', () => {
    expect(alarmsOf(watch).filter(isPart)).toHaveLength(11);
    watch.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 4);
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

  test('watch each worker, sweeper and queue of the stage', () => {
    const all = alarmsOf(watch).map(({ AlarmDescription }) => AlarmDescription);
    for (const part of [
      'poll-videos fails',
      'deliver-events fails',
      'sweep-jobs fails',
      'sweep-events fails',
      'sweep-workspaces fails',
      'poll-videos is throttled',
      'sweep-jobs does not run',
      'reconcile-rows does not run',
      'The jobs queue is not being worked off',
      'A message of the events queue has failed five times',
      'The upload server is down',
    ]) {
      expect(all.filter((one) => one.startsWith(part))).toHaveLength(1);
    }
  });

  test('watch the very part that they are named for', () => {
    const watched = new Map(
      alarmsOf(watch).map(({ id, AlarmDescription }) => [AlarmDescription.split('.\n')[0] ?? '', partOf(id)]),
    );
    const queues = [...watched].filter(([title]) => title.endsWith('queue is not being worked off'));
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
    expect(alarmsOf(local).filter(isPart)).toHaveLength(11);
  });
});

describe('the runbook', () => {
  const sectionOf = (page: string) =>
    runbook.split(/^## /m).find((section) => section.startsWith(`${page}\n`)) ?? '';

  test.each([...new Set(rules.map(({ page }) => page))])('has a page: %s', (page) => {
    for (const part of ['**What it means.**', '**Look.**', '**Do.**'])
      expect(sectionOf(page)).toContain(part);
  });

  const rows = () => [
    ...sectionOf('The alarms').matchAll(/^\| \[(.+)\]\(#(.+)\) \| (.+?) \| (\[\w+\]) \| .+ \|$/gm),
  ];

  test('has the section that an alarm’s description ends with', () => {
    const anchors = new Set(rows().map(([, , anchor]) => `What to do: docs/runbook.md#${anchor}`));
    const ends = alarmsOf(watch)
      .filter(isWhole)
      .map(({ AlarmDescription }) => AlarmDescription.split('\n').at(-1));
    expect(new Set(ends)).toEqual(anchors);
  });

  test('links the two dashboards of prod', () => {
    for (const { Properties } of Object.values(prod.findResources('AWS::CloudWatch::Dashboard'))) {
      expect(runbook).toMatch(new RegExp(`^\\[\\w+\\]: https://.*/${Properties.DashboardName}$`, 'm'));
    }
  });

  test('begins with a table of all alarms, the topics that they go to and their dashboards', () => {
    const told = rows().map(([, page, , topics, dashboard]) => `${page}: ${topics}, ${dashboard}`);
    const byPage = Map.groupBy(rules, ({ page }) => page);
    const raised = [...byPage].map(([page, some]) => {
      const topics = new Set(some.map(({ severity }) => `\`${severity}\``));
      return `${page}: ${[...topics].toSorted().join(', ')}, [${dashboardOf[page]}]`;
    });
    expect(told.toSorted()).toEqual(raised.toSorted());
  });

  test.each(Object.entries(queries))('has exactly the query that is saved as %s', (name, { page, text }) => {
    expect(sectionOf(page)).toContain(`\`${name}\``);
    expect(sectionOf(page).replaceAll(/\s+/g, ' ')).toContain(text);
    watch.hasResourceProperties('AWS::Logs::QueryDefinition', {
      Name: `Genway/prod/${name}`,
      QueryString: `SOURCE logGroups(namePrefix: ["/Genway-prod/"])\n| ${text}`,
    });
  });

  test('only searches for log messages that the code writes', () => {
    const messages = Object.values(queries).flatMap(({ text }) =>
      [...text.matchAll(/message (?:= |in \[)("[^\]|]*?")(?:\]| |$)/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/"([^"]+)"/g)].map(([, message]) => message),
      ),
    );
    expect(messages.length).toBeGreaterThan(8);
    const written = new Set(loggedMessages());
    expect(messages.filter((message) => !written.has(message ?? ''))).toEqual([]);
  });
});

describe('a panel', () => {
  const thresholds = (title: string) =>
    thresholdsOf(panels.find((panel) => panel.title === title)!, rules).map(({ label }) => label);

  test('shows the thresholds of alarms on its lines, for sums only of its own period', () => {
    expect(thresholds('Oldest message')).toEqual(['alarm over 1200']);
    expect(thresholds('Messages that failed')).toEqual(['alarm over 2']);
    expect(thresholds('Upload servers')).toEqual(['alarm under 1']);
    expect(thresholds('Requests that fail on our side')).toEqual([
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

const madeSchema = v.union([
  v.pipe(
    v.object({ Ref: v.string() }),
    v.transform(({ Ref }) => Ref),
  ),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tupleWithRest([v.string()], v.string()) }),
    v.transform((attribute) => attribute['Fn::GetAtt'][0]),
  ),
]);

/** The logical id of the resource that a value refers to. */
function madeId(value: unknown): string | undefined {
  const made = v.safeParse(madeSchema, value);
  return made.success ? made.output : undefined;
}

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

function loggedMessages(): string[] {
  const sources = globSync('functions/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:\.(?:info|warn|error)\(|message: )'([^']+)'/g)].map(
      ([, message = '']) => message,
    ),
  );
}
