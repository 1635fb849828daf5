/**
 * Looks for bytes that our readers of outside bytes cannot bear, led by what they execute:
 * `npm run fuzz`, or `npm run fuzz -- types --seconds 600 --seed 7`. What it finds is kept in `test/fuzz/cases`, which the
 * tests try from then on.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../engines/seeded-random.ts';
import { watchSources } from './coverage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});

const coverage = watchSources([
  'functions/files/type-detection/*.ts',
  'functions/files/upload/**/*.ts',
  'functions/http/{json-*,invalid-field}.ts',
  'functions/egress/{url-policy,allowed-hosts}.ts',
  'functions/webhooks/settings/callback-url.ts',
]);
// What is imported from here on is watched.
const [{ TARGETS }, { search }] = await Promise.all([import('./targets.ts'), import('./search.ts')]);
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS);
for (const name of names) {
  const target = TARGETS[name];
  if (target === undefined) throw new Error(`There is no ${name}, only ${Object.keys(TARGETS).join(', ')}`);
  const end = performance.now() + Number(values.seconds) * 1000;
  const random = seededRandom(Number(values.seed));
  const { inputs, corpus, failure } = await search(target, coverage, {
    random,
    isOver: () => performance.now() > end,
  });
  console.log(`${name}: ${inputs} inputs, ${corpus.length} of them got somewhere new`);
  if (failure === undefined) continue;
  console.error(failure.error, `\nkept as ${keep(name, failure.bytes)}`);
  process.exitCode = 1;
}

function keep(name: string, bytes: Buffer): string {
  const folder = join(import.meta.dirname, 'cases', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 12));
  writeFileSync(file, bytes);
  return file;
}
