import type { Construct } from 'constructs';
import { Canary } from '../canary.ts';
import { GenwayFunction } from '../constructs/genway-function.ts';
import { QueueConsumer, WorkQueue } from '../constructs/queue-consumer.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import { Sweeper } from '../constructs/sweeper.ts';
import { Table } from '../constructs/table.ts';
import { LargeUploads } from '../large-uploads.ts';
import type { StageConfig } from '../stage-config.ts';
import type { Plant } from './measure.ts';

/** All that a stage consists of: whatever is added to it is drawn and watched too. */
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
      ofKind(WorkQueue).map(({ title, queueName, deadLetters }) => [
        title,
        { name: queueName, deadLetters: deadLetters.queueName },
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
