import { type AlarmRule, burnRates, type Condition, type RunbookPage } from './alarm-rule.ts';
import {
  type Measure,
  ofFunction,
  ofLoadBalancer,
  ofQueue,
  ofTable,
  ofTargets,
  oldestMessage,
  own,
  ownBy,
  type Plant,
  type WatchedQueue,
} from './measures.ts';

/** Longer than the longest delay that we set for a message (15 minutes), so that only a neglected message reaches it. */
const STUCK_SECONDS = 20 * 60;

/** More than this number of jobs must have failed at a provider in an hour, even if it had few jobs. */
const FEWEST_LOST = 4;

/** All three of three periods of five minutes must be bad, so that a short problem raises no alarm. */
const LASTING = { minutes: 5, periods: [3, 3] } as const;

/** Tables that a key, a workspace or a receiver can write to with every call. */
const BUSY_TABLES = ['jobs', 'accounts', 'keys', 'events'];

/** What raises alarms: only a few conditions, each with its page in the runbook. */
export function alarmRules(plant: Plant): AlarmRule[] {
  return [
    ...burnRates(plant),
    ...ofCanary(plant),
    ...ofJobs(plant),
    ...ofProviders(plant),
    ...ofQueues(plant),
    ...ofWorkers(plant),
    ...ofClocks(plant),
    ...ofTables(plant),
    ...ofServer(plant),
  ];
}

/** Runs are five minutes apart, so a period of five minutes may have none or two. */
function ofCanary({ stage, hasCanary }: Plant): AlarmRule[] {
  if (!hasCanary) return [];
  const runs = (outcome: 'passed' | 'failed') => ownBy(stage, 'CanaryRuns', { values: [outcome] });
  const failing = runs('failed').map(
    (measure): Condition => ({ measure, over: 0, minutes: 5, periods: [3, 4] }),
  );
  // A canary that does not run, or that has no key, fails at nothing.
  const silent = runs('passed').map(
    (measure): Condition => ({ measure, under: 1, ...LASTING, missing: 'breaching' }),
  );
  return [
    {
      id: 'CanaryFails',
      severity: 'page',
      title: 'Callers cannot do what the canary tries',
      page: 'The canary fails',
      conditions: failing,
    },
    {
      id: 'CanarySilent',
      severity: 'ticket',
      title: 'The canary has not passed for 15 minutes',
      page: 'The canary fails',
      conditions: silent,
    },
  ];
}

function ofJobs({ stage }: Plant): AlarmRule[] {
  const any = (id: string, name: Parameters<typeof own>[1], page: RunbookPage): AlarmRule => ({
    id,
    severity: 'ticket',
    title: page,
    page,
    conditions: [{ measure: own(stage, name), over: 0, minutes: 5 }],
  });
  return [
    any('Quarantined', 'RowsQuarantined', 'A job or an event has been quarantined'),
    any('Underpriced', 'JobsUnderpriced', 'A provider charges more than the catalogue says'),
    any('Unreadable', 'RowsUnreadable', 'A row cannot be read'),
    {
      id: 'Contradictions',
      severity: 'ticket',
      title: 'Rows contradict each other',
      page: 'Rows contradict each other',
      // As long as the interval between two runs of the reconciler, so that the alarm stays on while contradictions exist.
      conditions: [{ measure: own(stage, 'Contradictions', { statistic: 'Maximum' }), over: 0, minutes: 60 }],
    },
  ];
}

function ofProviders({ stage, providers }: Plant): AlarmRule[] {
  return providers.flatMap((provider): AlarmRule[] => {
    const of = (name: 'KeysRefused' | 'ProviderFailures' | 'EndsNotTold', statistic: Measure['statistic']) =>
      ownBy(stage, name, { values: [provider], statistic });
    const failed = { minutes: 60 } as const;
    return [
      {
        id: `${provider}KeyRefused`,
        severity: 'ticket',
        title: `${provider} refuses the stage’s key`,
        page: 'A provider refuses the stage’s key',
        conditions: of('KeysRefused', 'Sum').map((measure) => ({ measure, over: 0, minutes: 5 })),
      },
      {
        id: `${provider}Fails`,
        severity: 'ticket',
        title: `${provider} fails at more than half of its jobs`,
        page: 'A provider fails',
        conditions: [
          ...of('ProviderFailures', 'Average').map((measure) => ({ measure, over: 0.5, ...failed })),
          ...of('ProviderFailures', 'Sum').map((measure) => ({ measure, over: FEWEST_LOST, ...failed })),
        ],
      },
      {
        id: `${provider}CallsStopped`,
        severity: 'ticket',
        title: `${provider} omits more than half of its callbacks`,
        page: 'A provider’s callbacks have stopped',
        conditions: [
          ...of('EndsNotTold', 'Average').map((measure) => ({ measure, over: 0.5, ...failed })),
          ...of('EndsNotTold', 'Sum').map((measure) => ({ measure, over: FEWEST_LOST, ...failed })),
        ],
      },
    ];
  });
}

function ofQueues({ queues }: Plant): AlarmRule[] {
  return Object.entries(queues).flatMap(([name, queue]) => [
    ofDeadLetters(name, queue),
    ...ofAge(name, queue),
  ]);
}

const ofDeadLetters = (name: string, { deadLetters }: WatchedQueue): AlarmRule => ({
  id: `${name}DeadLetters`,
  severity: 'ticket',
  title: `A message of the ${name} queue has failed five times`,
  page: 'A message has failed five times',
  queue: deadLetters,
  conditions: [
    {
      measure: ofQueue('ApproximateNumberOfMessagesVisible')(deadLetters, 'Maximum'),
      over: 0,
      minutes: 5,
    },
  ],
});

/**
 * A message that a worker died with gets older as long as it is hidden. If that alone can make it as old as a neglected
 * one, nobody is woken up for it: the sweeper sends another.
 */
function ofAge(name: string, queue: WatchedQueue): AlarmRule[] {
  const older = (over: number): AlarmRule => ({
    id: `${name}Stuck`,
    severity: 'page',
    title: `The ${name} queue is falling behind`,
    page: 'A queue is falling behind',
    queue: queue.name,
    conditions: [{ measure: oldestMessage(queue.name), over, ...LASTING }],
  });
  if (queue.hiddenSeconds < STUCK_SECONDS) return [older(STUCK_SECONDS)];
  return [
    {
      ...older(STUCK_SECONDS),
      id: `${name}Old`,
      severity: 'ticket',
      title: `The ${name} queue has an old message`,
    },
    older(queue.hiddenSeconds + STUCK_SECONDS),
  ];
}

function ofWorkers({ stage, consumers, sweepers, hourly }: Plant): AlarmRule[] {
  const failing = Object.entries({ ...consumers, ...sweepers }).map(
    ([name, part]): AlarmRule => ({
      id: `${name}Errors`,
      severity: 'ticket',
      title: `${name} fails`,
      page: 'A worker or a sweeper fails',
      conditions: [
        {
          measure: ofFunction('Errors')(part, 'Sum'),
          over: 2,
          ...LASTING,
          // Nobody repeats a failed run, so an hour has one failure at most.
          ...(hourly.includes(name) ? { over: 0, minutes: 60 } : {}),
        },
      ],
    }),
  );
  const throttled = Object.entries(consumers).map(
    ([name, part]): AlarmRule => ({
      id: `${name}Throttles`,
      severity: 'ticket',
      title: `${name} is throttled`,
      page: 'A worker is throttled',
      conditions: [{ measure: ofFunction('Throttles')(part, 'Sum'), over: 20, ...LASTING }],
    }),
  );
  const messages: AlarmRule = {
    id: 'MessagesFailed',
    severity: 'ticket',
    title: 'Workers fail on messages',
    page: 'A worker or a sweeper fails',
    conditions: [{ measure: own(stage, 'MessagesFailed'), over: 2, ...LASTING }],
  };
  return [messages, ...failing, ...throttled];
}

/** A schedule that was turned off and forgotten fails at nothing, and is heard of nowhere else. */
function ofClocks({ sweepers, hourly }: Plant): AlarmRule[] {
  return Object.entries(sweepers).map(([name, part]) => ({
    id: `${name}Stopped`,
    severity: 'ticket',
    title: `${name} does not run`,
    page: 'A sweeper does not run',
    conditions: [
      {
        measure: ofFunction('Invocations')(part, 'Sum'),
        under: 1,
        ...LASTING,
        ...(hourly.includes(name) ? { minutes: 60 } : {}),
        missing: 'breaching',
      },
    ],
  }));
}

function ofTables({ tables }: Plant): AlarmRule[] {
  return Object.entries(tables)
    .filter(([name]) => BUSY_TABLES.includes(name))
    .map(([name, table]) => ({
      id: `${name}TableThrottled`,
      severity: 'ticket',
      title: `The ${name} table is throttled`,
      page: 'A table is throttled',
      conditions: [{ measure: ofTable('WriteThrottleEvents')(table, 'Sum'), over: 100, ...LASTING }],
    }));
}

function ofServer({ uploadServer }: Plant): AlarmRule[] {
  if (uploadServer === undefined) return [];
  const fails = (id: string, measure: Measure): AlarmRule => ({
    id,
    severity: 'ticket',
    title: 'The upload server fails',
    page: 'The upload server fails',
    conditions: [{ measure, over: 9, ...LASTING }],
  });
  return [
    {
      id: 'UploadServerDown',
      severity: 'page',
      title: 'The upload server is down',
      page: 'The upload server is down',
      conditions: [
        {
          measure: ofTargets(uploadServer, 'HealthyHostCount', 'Minimum'),
          under: 1,
          minutes: 1,
          periods: [5, 5],
          missing: 'breaching',
        },
      ],
    },
    fails('UploadServerErrors', ofTargets(uploadServer, 'HTTPCode_Target_5XX_Count', 'Sum')),
    fails('LoadBalancerErrors', ofLoadBalancer('HTTPCode_ELB_5XX_Count')(uploadServer.loadBalancer, 'Sum')),
  ];
}
