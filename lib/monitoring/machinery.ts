import {
  ofFunction,
  ofLoadBalancer,
  ofQueue,
  ofService,
  ofTable,
  ofTargets,
  oldestMessage,
  own,
  ownBy,
} from '../measures.ts';
import type { Measure, Page, Panel, Plant } from './measure.ts';

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
