import {
  failedShare,
  type Measure,
  ofApi,
  ofFunction,
  ofLoadBalancer,
  ofQueue,
  ofService,
  ofTable,
  ofTargets,
  oldestMessage,
  own,
  ownBy,
  type Page,
  type Panel,
  type Plant,
} from './measures.ts';

/** What callers notice: do they get responses, how fast, do their videos complete, and what do they pay? */
export function callersPage(plant: Plant): Page {
  const { stage, api, hasCanary } = plant;
  return {
    name: 'callers',
    text: 'What callers notice. Objective: 99.9 % of requests in a month do not fail on our side.',
    rows: [
      [
        { title: 'Requests that fail on our side', unit: 'share, 0 to 1', lines: [failedShare(api)] },
        {
          title: 'Latency',
          unit: 'ms',
          lines: [ofApi('Latency')(api, 'p50', 'p50'), ofApi('Latency')(api, 'p99', 'p99')],
        },
        { title: 'Answers', unit: 'requests', lines: ownBy(stage, 'Requests') },
        {
          title: 'Requests of the busiest endpoints that fail by our own fault',
          unit: 'share, 0 to 1',
          lines: ownBy(stage, 'EndpointFailures', { statistic: 'Average' }),
        },
      ],
      [
        { title: 'Ends of jobs', unit: 'jobs', lines: ownBy(stage, 'JobsSettled') },
        { title: 'Webhook attempts', unit: 'attempts', lines: ownBy(stage, 'WebhookAttempts') },
        { title: 'Traces', unit: 'attempts', lines: ownBy(stage, 'Traces') },
        uploads(plant),
        ...(hasCanary
          ? [{ title: 'Runs of the canary', unit: 'runs', lines: ownBy(stage, 'CanaryRuns') }]
          : []),
      ],
      money(plant),
      providersOf(plant),
    ],
  };
}

function uploads({ uploader, uploadServer }: Plant): Panel {
  const small = ofFunction('Invocations')(uploader, 'Sum', 'small');
  if (uploadServer === undefined) return { title: 'Uploads', unit: 'uploads', lines: [small] };
  return {
    title: 'Uploads',
    unit: 'uploads',
    lines: [small, ofLoadBalancer('RequestCount')(uploadServer.loadBalancer, 'Sum', 'large')],
  };
}

/** Shows which provider, or which key, keeps videos from completing. */
function providersOf({ stage, providers }: Plant): Panel[] {
  if (providers.length === 0) return [];
  return [
    {
      title: 'Jobs that a provider fails at',
      unit: 'share, 0 to 1',
      lines: ownBy(stage, 'ProviderFailures', { values: providers, statistic: 'Average' }),
    },
    {
      title: 'Calls refused because of the stage’s key',
      unit: 'calls',
      lines: ownBy(stage, 'KeysRefused', { values: providers }),
    },
    {
      title: 'Ends that a provider was to tell, and did not',
      unit: 'share, 0 to 1',
      lines: ownBy(stage, 'EndsNotTold', { values: providers, statistic: 'Average' }),
    },
    {
      title: 'Callbacks that their provider has not signed',
      unit: 'callbacks',
      lines: ownBy(stage, 'CallbacksRefused', { values: providers }),
    },
  ];
}

/** A stage without providers has no videos, so it needs no panels for their time and cost. */
function money({ stage, providers }: Plant): Panel[] {
  if (providers.length === 0) return [];
  return [
    {
      title: 'Time to a video (half of them)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p50' }),
    },
    {
      title: 'Time to a video (19 of 20)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p95' }),
    },
    {
      title: 'Charged',
      unit: 'micro-dollars',
      lines: ownBy(stage, 'ChargedMicros', { values: providers }),
    },
    { title: 'Jobs that cost us more', unit: 'jobs', lines: [own(stage, 'JobsUnderpriced')] },
  ];
}

/** For operators: is the background work done, and is every part below its limits? */
export function machineryPage(plant: Plant): Page {
  return {
    name: 'machinery',
    text: 'The machinery behind the API. What to do about an alarm: `docs/runbook.md`.',
    rows: [queuePanels(plant), workerPanels(plant), rowPanels(plant), serverPanels(plant)],
  };
}

function workerPanels({ stage, consumers, sweepers }: Plant): Panel[] {
  const workers = { ...consumers, ...sweepers };
  const running = ofFunction('ConcurrentExecutions');
  return [
    { title: 'Functions that failed', unit: 'calls', lines: ofEach(workers, ofFunction('Errors'), 'Sum') },
    {
      title: 'Functions that were throttled',
      unit: 'calls',
      lines: ofEach(workers, ofFunction('Throttles'), 'Sum'),
    },
    { title: 'Running at once', unit: 'calls', lines: ofEach(consumers, running, 'Maximum') },
    { title: 'Messages that failed', unit: 'messages', lines: [own(stage, 'MessagesFailed')] },
  ];
}

function rowPanels({ stage, tables }: Plant): Panel[] {
  const throttles = Object.entries({ writes: 'WriteThrottleEvents', reads: 'ReadThrottleEvents' }).flatMap(
    ([what, name]) =>
      Object.entries(tables).map(([title, table]) => ofTable(name)(table, 'Sum', `${title}: ${what}`)),
  );
  return [
    { title: 'Swept: overdue rows', unit: 'rows', lines: ownBy(stage, 'RowsSwept') },
    {
      title: 'Quarantined rows, rows that are wrong',
      unit: 'rows',
      lines: [
        own(stage, 'RowsQuarantined'),
        own(stage, 'RowsUnreadable'),
        own(stage, 'Contradictions', { statistic: 'Maximum' }),
      ],
    },
    {
      title: 'Tables: writes',
      unit: 'write units',
      lines: ofEach(tables, ofTable('ConsumedWriteCapacityUnits'), 'Sum'),
    },
    { title: 'Tables: throttled', unit: 'requests', lines: throttles },
  ];
}

function queuePanels({ queues }: Plant): Panel[] {
  const names = Object.fromEntries(Object.entries(queues).map(([title, { name }]) => [title, name]));
  const dead = Object.fromEntries(Object.entries(queues).map(([title, queue]) => [title, queue.deadLetters]));
  const visible = ofQueue('ApproximateNumberOfMessagesVisible');
  return [
    { title: 'Messages that wait for a worker', unit: 'messages', lines: ofEach(names, visible, 'Maximum') },
    {
      title: 'Messages that wait for their time',
      unit: 'messages',
      lines: ofEach(names, ofQueue('ApproximateNumberOfMessagesDelayed'), 'Maximum'),
    },
    {
      title: 'Oldest message',
      unit: 's',
      lines: Object.entries(names).map(([title, name]) => oldestMessage(name, title)),
    },
    { title: 'Dead letters', unit: 'messages', lines: ofEach(dead, visible, 'Maximum') },
  ];
}

function serverPanels({ stage, uploadServer }: Plant): Panel[] {
  if (uploadServer === undefined) return [];
  return [
    {
      title: 'Upload servers',
      unit: 'servers; uploads',
      lines: [
        ofTargets(uploadServer, 'HealthyHostCount', 'Minimum'),
        own(stage, 'UploadsInProgress', { statistic: 'Average' }),
      ],
    },
    {
      title: 'Upload servers: load',
      unit: '%',
      lines: [ofService(uploadServer, 'CPUUtilization'), ofService(uploadServer, 'MemoryUtilization')],
    },
    {
      title: 'Upload servers: answers',
      unit: 'requests',
      lines: [
        ofTargets(uploadServer, 'HTTPCode_Target_2XX_Count', 'Sum'),
        ofTargets(uploadServer, 'HTTPCode_Target_5XX_Count', 'Sum'),
        ofLoadBalancer('HTTPCode_ELB_5XX_Count')(uploadServer.loadBalancer, 'Sum'),
      ],
    },
  ];
}

const ofEach = (
  parts: Readonly<Record<string, string>>,
  measure: ReturnType<typeof ofQueue>,
  statistic: Measure['statistic'],
): Measure[] => Object.entries(parts).map(([title, name]) => measure(name, statistic, title));
