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
 * The lines that our own emulator tells on its standard output. They are taken at once, as a full pipe would hold the
 * functions up, and wait here for their reader.
 *
 * @param output null of a program that could not be started
 */
export function emulatorLines(output: Readable | null): ReadLogs {
  const waiting: FunctionLogLine[] = [];
  let take = (line: FunctionLogLine): unknown => waiting.push(line);
  const told = (text: string): void => {
    const line = v.safeParse(lineSchema, text);
    // What its libraries may print before it has said where else to.
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
