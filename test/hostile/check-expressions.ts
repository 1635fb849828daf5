/** Posts what is wrong with each of the expressions that it is given. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';

/** The build for browsers is JavaScript alone; the others differ from machine to machine. */
const require = createRequire(import.meta.url);
const { checkSync }: typeof import('recheck') = require('recheck/lib/browser.js');
const { version } = v.parse(v.object({ version: v.string() }), require('recheck/package.json'));
/**
 * By seed and steps alone, never by the clock: a busy machine comes to the same answer. What is not linear takes
 * far more steps of this many characters.
 */
const SEARCH = {
  randomSeed: 1,
  maxAttackStringSize: 30_000,
  attackLimit: 15_000_000,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
};

/**
 * The search is a function of the expression and of what stands above, so what it once found linear is. On a fresh
 * checkout, as CI's is, nothing is known yet and everything is searched.
 */
const KNOWN = join(import.meta.dirname, '../../node_modules/.cache/genway/linear-expressions.json');
const known = new Set(readKnown());
const before = known.size;

const expressions = v.array(v.object({ place: v.string(), source: v.string(), flags: v.string() }));
for (const { place, source, flags } of v.parse(expressions, workerData)) {
  const searched = createHash('sha256')
    .update(JSON.stringify([version, SEARCH, source, flags]))
    .digest('hex');
  if (known.has(searched)) continue;
  const found = checkSync(source, flags, SEARCH);
  if (found.status === 'safe') {
    known.add(searched);
    continue;
  }
  const weakness =
    found.status === 'unknown'
      ? `cannot be checked: ${found.error.kind}`
      : `is ${found.complexity.summary}, as with ${found.attack.pattern}`;
  parentPort?.postMessage(`${place}: /${source}/${flags} ${weakness}`);
}
if (known.size > before) {
  mkdirSync(join(KNOWN, '..'), { recursive: true });
  writeFileSync(KNOWN, JSON.stringify([...known]));
}

/** A file that is missing or torn costs one search. */
function readKnown(): string[] {
  try {
    return v.parse(v.array(v.string()), JSON.parse(readFileSync(KNOWN, 'utf8')));
  } catch {
    return [];
  }
}
