import { GetEventSourceMappingCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import * as v from 'valibot';
import { CommandFailed } from '../../cli/cli.ts';
import type { Deployment } from '../command.ts';

/** A function without callers: it reads a queue or a stream, or runs on a schedule. */
export interface Worker {
  readonly name: string;
  /** The ARN of its event source; undefined for a scheduled function. */
  readonly source: string | undefined;
  readonly isRunning: boolean;
  /** Starts or stops it. Running calls still finish. */
  turn(isRunning: boolean): Promise<void>;
}

const namesSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** All workers of a stage, in their current state. */
export function findWorkers(deployment: Deployment): Promise<Worker[]> {
  const named = (output: string) => Object.entries(v.parse(namesSchema, deployment.output(output)));
  return Promise.all([
    ...named('Feeds').map(([name, id]) => fedWorker(name, id, deployment)),
    ...named('Schedules').map(([name, schedule]) => calledWorker(name, schedule, deployment)),
  ]);
}

/** @throws CommandFailed that names the existing workers */
export function workerNamed(name: string, workers: readonly Worker[]): Worker {
  const found = workers.find((worker) => worker.name === name);
  if (found !== undefined) return found;
  throw new CommandFailed(
    `There is no worker ${name}; the workers are: ${workers.map((worker) => worker.name).join(', ')}`,
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
      // An update resets all fields that it does not name.
      const asItIs = { Name, Target, FlexibleTimeWindow, ScheduleExpression };
      const update = { ...asItIs, State: isRunning ? 'ENABLED' : 'DISABLED' } as const;
      await scheduler.send(new UpdateScheduleCommand(update));
    },
  };
}
