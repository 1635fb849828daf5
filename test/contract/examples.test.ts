import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Examples } from '../../functions/openapi/examples.ts';
import { examples } from '../../functions/openapi/examples.ts';
import { playExamples } from './example-scene.ts';

const FILE = join(import.meta.dirname, '../../functions/openapi/examples.json');

/** The common part of two answers to the same request: names and types of fields, without ids and times. */
function form(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(form);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(name, inner)]));
}

/** The success rate is null until enough jobs have ended, and that depends on the tests before. */
const formOf = (name: string, value: unknown) =>
  name === 'success_rate' && (value === null || typeof value === 'number') ? 'number or null' : form(value);

let played: Examples;
beforeAll(async () => {
  played = await playExamples();
  // `npm run openapi:examples` sets this after a change of the answers.
  if (process.env.GENWAY_RECORD_EXAMPLES === '1') {
    writeFileSync(FILE, `${JSON.stringify(played, undefined, 2)}\n`);
  }
}, 300_000);

test.each(['operations', 'refusals', 'events'] as const)(
  'the examples of %s match the responses of a stage',
  (part) => {
    if (process.env.GENWAY_RECORD_EXAMPLES === '1') return;
    expect(form(played[part])).toEqual(form(examples[part]));
  },
);
