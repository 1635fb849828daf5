import { readFile } from 'node:fs/promises';
import { LocalRunError } from '../../local/system/failure.ts';

export const ENGINES = ['dynamodb', 's3', 'sqs'];

/**
 * Counts what the emulator's extension has noted: engine, operation, status and error in a line.
 * @param needed engines without which the tests have shown nothing
 * @throws LocalRunError if one of these was never asked
 */
export async function askedOf(file: string, needed: readonly string[]): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n');
  const counts = ENGINES.map((engine) => {
    const asked = lines.filter((line) => line.startsWith(`${engine} `));
    if (asked.length === 0 && needed.includes(engine))
      throw new LocalRunError(`The stage sent no request to ${engine}.`);
    const refusals = new Map<string, number>();
    for (const line of asked) {
      const [, operation, status, error = ''] = line.split(' ');
      const refusal = `${operation} ${status} ${error}`.trimEnd();
      if (Number(status) >= 400) refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
    }
    const told = [...refusals].map(([refusal, count]) => `\n  ${count} × ${refusal}`).toSorted();
    return `${asked.length} requests to ${engine}${told.join('')}`;
  });
  return counts.join('\n');
}
