import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { type Examples, examples } from '../../functions/openapi/examples.ts';
import { playExamples } from './example-scene.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');

/** Each area keeps the examples of its own operations. */
async function record({ operations, ...others }: Examples): Promise<void> {
  write(join(FUNCTIONS, 'openapi/examples.json'), others);
  for (const definition of globSync(join(FUNCTIONS, 'endpoints/*/definition.ts'))) {
    const { routes }: { routes: object } = await import(definition);
    const own = Object.entries(operations).filter(([id]) => id in routes);
    write(join(dirname(definition), 'examples.json'), Object.fromEntries(own));
  }
}

const write = (file: string, examples: object): void =>
  writeFileSync(file, `${JSON.stringify(examples, undefined, 2)}\n`);

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
  if (process.env.GENWAY_RECORD_EXAMPLES === '1') await record(played);
}, 300_000);

test.each(['operations', 'refusals', 'events'] as const)(
  'the examples of %s match the responses of a stage',
  (part) => {
    if (process.env.GENWAY_RECORD_EXAMPLES === '1') return;
    expect(form(played[part])).toEqual(form(examples[part]));
  },
);
