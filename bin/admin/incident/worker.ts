import { GetEventSourceMappingCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import * as v from 'valibot';
import { CommandFailed, type Deployment } from '../command.ts';

/** A function that works without being asked: behind a queue or a stream, or by the clock. */
export interface Worker {
  readonly name: string;
  /** The ARN of what it reads from; undefined for one that runs by the clock. */
  readonly source: string | undefined;
  readonly isRunning: boolean;
  /** What it is doing already ends by itself. */
  turn(isRunning: boolean): Promise<void>;
}

const namesSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** All of a stage's, as they are now. */
export function findWorkers(deployment: Deployment): Promise<Worker[]> {
  const named = (output: string) => Object.entries(v.parse(namesSchema, deployment.output(output)));
  return Promise.all([
    ...named('Feeds').map(([name, id]) => fedWorker(name, id, deployment)),
    ...named('Schedules').map(([name, schedule]) => calledWorker(name, schedule, deployment)),
  ]);
}

/** @throws CommandFailed that names those that there are */
export function workerNamed(name: string, workers: readonly Worker[]): Worker {
  const found = workers.find((worker) => worker.name === name);
  if (found !== undefined) return found;
  throw new CommandFailed(
    `There is no worker ${name}; there are: ${workers.map((worker) => worker.name).join(', ')}`,
  );
}

async function fedWorker(name: string, UUID: string, { lambda }: Deployment): Promise<Worker> {
  const { State, EventSourceArn } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
  return {
    name,
    source: EventSourceArn,
    isRunning: State !== 'Disabled' && State !== 'Disabling',
    turn: async (Enabled) => {
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    },
  };
}

async function calledWorker(name: string, Name: string, { scheduler }: Deployment): Promise<Worker> {
  const schedule = await scheduler.send(new GetScheduleCommand({ Name }));
  const { Target, FlexibleTimeWindow, ScheduleExpression, State } = schedule;
  return {
    name,
    source: undefined,
    isRunning: State !== 'DISABLED',
    turn: async (isRunning) => {
      // An update takes back whatever it does not name.
      const asItIs = { Name, Target, FlexibleTimeWindow, ScheduleExpression };
      const update = { ...asItIs, State: isRunning ? 'ENABLED' : 'DISABLED' } as const;
      await scheduler.send(new UpdateScheduleCommand(update));
    },
  };
}
