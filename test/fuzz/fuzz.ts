// Searches for bytes that break our readers of outside bytes: `npm run fuzz`, or `npm run fuzz -- types --seconds 600`.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { seededRandom } from '../engines/seeded-random.ts';
import { watchSources } from './coverage.ts';

const command = new Command('npm run fuzz --')
  .description(
    'Fuzzes the readers of forms, files, JSON bodies and webhook addresses, guided by coverage. It saves what it finds ' +
      'in test/fuzz/cases, and the tests try these inputs from then on.',
  )
  .argument('[names...]', 'multipart, types, json or urls; by default all of them')
  .option('--seconds <number>', 'how many seconds each target gets', wholeNumber, 30)
  .option('--seed <number>', 'the seed of the random numbers', wholeNumber, 1)
  .parse();
const { seconds, seed } = command.opts();

const coverage = watchSources([
  'functions/files/type-detection/*.ts',
  'functions/files/upload/**/*.ts',
  'functions/http/{json-*,invalid-field}.ts',
  'functions/egress/{url-policy,allowed-hosts}.ts',
  'functions/webhooks/settings/callback-url.ts',
]);
// Only modules that are imported from here on are counted.
const [{ TARGETS }, { search }] = await Promise.all([import('./targets.ts'), import('./search.ts')]);
const named = command.args.length > 0 ? command.args : Object.keys(TARGETS);
for (const name of named) {
  const target = TARGETS[name];
  if (target === undefined)
    throw new Error(`${name} is none of the targets: ${Object.keys(TARGETS).join(', ')}`);
  const end = performance.now() + seconds * 1000;
  const random = seededRandom(seed);
  const { inputs, corpus, failure } = await search(target, coverage, {
    random,
    isOver: () => performance.now() > end,
  });
  console.log(`${name}: ${inputs} inputs, ${corpus.length} of them reached new code`);
  if (failure === undefined) continue;
  console.error(failure.error, `\nsaved as ${keep(name, failure.bytes)}`);
  process.exitCode = 1;
}

function keep(name: string, bytes: Buffer): string {
  const folder = join(import.meta.dirname, 'cases', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 12));
  writeFileSync(file, bytes);
  return file;
}
