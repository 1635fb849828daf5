import type { Construct } from 'constructs';
import { Sweeper } from './constructs/clock.ts';
import { QueueConsumer, StreamConsumer, WorkQueue } from './constructs/consumers.ts';
import { GenwayFunction } from './constructs/program.ts';
import { Table } from './constructs/table.ts';
import type { Plant } from './monitoring/measures.ts';
import { Canary } from './programs/canary.ts';
import type { StageConfig } from './stage/config.ts';
import { LargeUploads } from './upload-server/large-uploads.ts';

/** All parts of a stage: the dashboards and alarms include every part that is added later. */
export function plantOf(stage: Construct, { name, videos }: StageConfig, api: string): Plant {
  const parts = stage.node.findAll();
  const ofKind = <Kind extends Construct>(kind: abstract new (...args: never[]) => Kind): Kind[] =>
    parts.filter((part): part is Kind => part instanceof kind);
  const sweepers = ofKind(Sweeper);
  const functions = namesOf(ofKind(GenwayFunction));
  const [uploads] = ofKind(LargeUploads);
  return {
    stage: name,
    api,
    queues: Object.fromEntries(
      ofKind(WorkQueue).map(({ title, queueName, deadLetters, hidden }) => [
        title,
        {
          name: queueName,
          deadLetters: deadLetters.queueName,
          hiddenSeconds: hidden.toSeconds(),
        },
      ]),
    ),
    consumers: namesOf([...ofKind(QueueConsumer), ...ofKind(StreamConsumer)]),
    sweepers: namesOf(sweepers),
    hourly: sweepers.filter(({ runs }) => runs === 'EveryHour').map(({ title }) => title),
    hasCanary: ofKind(Canary).length > 0,
    uploader: functions['upload-file'] ?? '',
    tables: Object.fromEntries(ofKind(Table).map(({ title, tableName }) => [title, tableName])),
    providers: Object.keys(videos.providers),
    ...(uploads === undefined ? {} : { uploadServer: uploads.watched }),
  };
}

const namesOf = (functions: readonly GenwayFunction[]): Record<string, string> =>
  Object.fromEntries(functions.map(({ title, functionName }) => [title, functionName]));

/** What triggers each worker of a stage, by the worker's name. An operator turns it off in an incident. */
export function workersOf(stage: Construct) {
  const parts = stage.node.findAll();
  const feeds = parts.filter((part) => part instanceof QueueConsumer || part instanceof StreamConsumer);
  const called = parts.filter((part) => part instanceof Sweeper || part instanceof Canary);
  return {
    feeds: Object.fromEntries(feeds.map(({ title, feed }) => [title, feed])),
    schedules: Object.fromEntries(called.map(({ title, schedule }) => [title, schedule])),
  };
}
