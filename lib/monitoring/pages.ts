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
    text: 'What callers notice. Objective: 99.9% of requests per month without a server error.',
    rows: [
      [
        { title: 'Server errors', unit: 'share, 0 to 1', lines: [failedShare(api)] },
        {
          title: 'Latency',
          unit: 'ms',
          lines: [ofApi('Latency')(api, 'p50', 'p50'), ofApi('Latency')(api, 'p99', 'p99')],
        },
        { title: 'Responses', unit: 'requests', lines: ownBy(stage, 'Requests') },
        {
          title: 'Server errors of the busiest endpoints',
          unit: 'share, 0 to 1',
          lines: ownBy(stage, 'EndpointFailures', { statistic: 'Average' }),
        },
      ],
      [
        { title: 'Finished jobs', unit: 'jobs', lines: ownBy(stage, 'JobsSettled') },
        { title: 'Webhook attempts', unit: 'attempts', lines: ownBy(stage, 'WebhookAttempts') },
        { title: 'Traces', unit: 'attempts', lines: ownBy(stage, 'Traces') },
        uploads(plant),
        ...(hasCanary ? [{ title: 'Canary runs', unit: 'runs', lines: ownBy(stage, 'CanaryRuns') }] : []),
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
      title: 'Jobs failed by providers',
      unit: 'share, 0 to 1',
      lines: ownBy(stage, 'ProviderFailures', { values: providers, statistic: 'Average' }),
    },
    {
      title: 'Calls refused for the key of the stage',
      unit: 'calls',
      lines: ownBy(stage, 'KeysRefused', { values: providers }),
    },
    {
      title: 'Missing callbacks',
      unit: 'share, 0 to 1',
      lines: ownBy(stage, 'EndsNotTold', { values: providers, statistic: 'Average' }),
    },
    {
      title: 'Callbacks with an invalid signature',
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
      title: 'Time to video (median)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p50' }),
    },
    {
      title: 'Time to video (p95)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p95' }),
    },
    {
      title: 'Charges',
      unit: 'micro-dollars',
      lines: ownBy(stage, 'ChargedMicros', { values: providers }),
    },
    { title: 'Jobs charged above the catalogue price', unit: 'jobs', lines: [own(stage, 'JobsUnderpriced')] },
  ];
}

/** For operators: is the background work done, and is every part below its limits? */
export function machineryPage(plant: Plant): Page {
  return {
    name: 'machinery',
    text: 'The infrastructure behind the API. If an alarm is on, see `docs/runbook.md`.',
    rows: [queuePanels(plant), workerPanels(plant), rowPanels(plant), serverPanels(plant)],
  };
}

function workerPanels({ stage, consumers, sweepers }: Plant): Panel[] {
  const workers = { ...consumers, ...sweepers };
  const running = ofFunction('ConcurrentExecutions');
  return [
    { title: 'Function errors', unit: 'calls', lines: ofEach(workers, ofFunction('Errors'), 'Sum') },
    {
      title: 'Function throttles',
      unit: 'calls',
      lines: ofEach(workers, ofFunction('Throttles'), 'Sum'),
    },
    { title: 'Concurrent executions', unit: 'calls', lines: ofEach(consumers, running, 'Maximum') },
    { title: 'Failed messages', unit: 'messages', lines: [own(stage, 'MessagesFailed')] },
  ];
}

function rowPanels({ stage, tables }: Plant): Panel[] {
  const throttles = Object.entries({ writes: 'WriteThrottleEvents', reads: 'ReadThrottleEvents' }).flatMap(
    ([what, name]) =>
      Object.entries(tables).map(([title, table]) => ofTable(name)(table, 'Sum', `${title}: ${what}`)),
  );
  return [
    { title: 'Overdue rows swept', unit: 'rows', lines: ownBy(stage, 'RowsSwept') },
    {
      title: 'Quarantined and invalid rows',
      unit: 'rows',
      lines: [
        own(stage, 'RowsQuarantined'),
        own(stage, 'RowsUnreadable'),
        own(stage, 'Contradictions', { statistic: 'Maximum' }),
      ],
    },
    {
      title: 'Table writes',
      unit: 'write units',
      lines: ofEach(tables, ofTable('ConsumedWriteCapacityUnits'), 'Sum'),
    },
    { title: 'Throttled table requests', unit: 'requests', lines: throttles },
  ];
}

function queuePanels({ queues }: Plant): Panel[] {
  const names = Object.fromEntries(Object.entries(queues).map(([title, { name }]) => [title, name]));
  const dead = Object.fromEntries(Object.entries(queues).map(([title, queue]) => [title, queue.deadLetters]));
  const visible = ofQueue('ApproximateNumberOfMessagesVisible');
  return [
    { title: 'Waiting messages', unit: 'messages', lines: ofEach(names, visible, 'Maximum') },
    {
      title: 'Delayed messages',
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
      title: 'Upload server load',
      unit: '%',
      lines: [ofService(uploadServer, 'CPUUtilization'), ofService(uploadServer, 'MemoryUtilization')],
    },
    {
      title: 'Upload server responses',
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
