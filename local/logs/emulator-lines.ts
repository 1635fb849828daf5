import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as v from 'valibot';
import type { FunctionLogLine, ReadLogs } from './log-lines.ts';

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
