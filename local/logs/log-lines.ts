import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  DeleteLogStreamCommand,
  FilterLogEventsCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import type { AwsAccess } from '../emulator/aws-access.ts';

const INTERVAL_MS = 500;
/** A busy emulator answers late, and somebody waits for the stop. */
const STOP_DEADLINE_MS = 1_000;

/** One line that a function wrote, or that the runtime wrote about it. */
export interface FunctionLogLine {
  readonly logGroup: string;
  /** Milliseconds since 1970 at the end of the invocation, because the emulator delivers its lines together. */
  readonly time: number;
  readonly text: string;
}

interface LogReader {
  /** Delivers the lines written so far, for at most a second, and then ends. */
  stop(): Promise<void>;
}

/** Delivers every line of every function once. */
export type ReadLogs = (deliver: (line: FunctionLogLine) => void) => LogReader;

/**
 * The log lines of a stack's functions, from an emulator that somebody else runs. Their log groups contain the stack's
 * name.
 *
 * Delivered lines are deleted. The emulator makes a stream for every invocation and keeps it for ever. It would read
 * all of them at every look, and write all of them to disk when it stops.
 */
export function readCloudWatchLogs(
  access: AwsAccess,
  stack: string,
  deliver: (line: FunctionLogLine) => void,
): LogReader {
  const client = new CloudWatchLogsClient({ ...access });
  const stopping = new AbortController();
  const finished = untilStopped();

  async function untilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await drain(client, stack, deliver).catch(ignoreUnreachable);
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await drain(client, stack, deliver).catch(ignoreUnreachable);
    client.destroy();
  }

  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([finished, sleep(STOP_DEADLINE_MS, undefined, { ref: false })]);
    },
  };
}

async function drain(client: CloudWatchLogsClient, stack: string, deliver: (line: FunctionLogLine) => void) {
  const groups = paginateDescribeLogGroups({ client }, { logGroupNamePattern: stack });
  for await (const { logGroups = [] } of groups) {
    const written = logGroups.filter(({ storedBytes = 0 }) => storedBytes > 0);
    for (const { logGroupName } of written) {
      if (logGroupName !== undefined) await drainGroup(client, logGroupName, deliver);
    }
  }
}

async function drainGroup(
  client: CloudWatchLogsClient,
  logGroupName: string,
  deliver: (line: FunctionLogLine) => void,
): Promise<void> {
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName }));
  const streams = new Set<string>();
  for (const { timestamp = 0, message = '', logStreamName } of events) {
    deliver({ logGroup: logGroupName, time: timestamp, text: message });
    if (logStreamName !== undefined) streams.add(logStreamName);
  }
  for (const logStreamName of streams) {
    await client.send(new DeleteLogStreamCommand({ logGroupName, logStreamName }));
  }
}

function ignoreUnreachable(): void {
  // An emulator that has stopped or is too busy has nothing to show now; the next look may succeed.
}

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ logGroup: v.string(), time: v.number(), text: v.string() }),
);

/**
 * The log lines that our own emulator writes to its standard output. They are read at once and kept for their reader,
 * because a full pipe would block the functions.
 *
 * @param output null if the program could not be started
 */
export function emulatorLines(output: Readable | null): ReadLogs {
  const waiting: FunctionLogLine[] = [];
  let take = (line: FunctionLogLine): unknown => waiting.push(line);
  const told = (text: string): void => {
    const line = v.safeParse(lineSchema, text);
    // Libraries of the emulator may print something before it redirects their output.
    if (line.success) take(line.output);
  };
  if (output !== null) createInterface({ input: output }).on('line', told);
  return (deliver) => {
    take = deliver;
    for (const line of waiting.splice(0)) deliver(line);
    return {
      stop: async () => {
        take = () => undefined;
      },
    };
  };
}
