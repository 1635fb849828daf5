/** Reads expressions as JSON, and prints the weakness of each that has one. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

/** The build for browsers is pure JavaScript. The other builds depend on the machine. */
const require = createRequire(import.meta.url);
const { checkSync }: typeof import('recheck') = require('recheck/lib/browser.js');
const { version } = v.parse(v.object({ version: v.string() }), require('recheck/package.json'));
/**
 * The seed and the number of steps limit the search, never the clock, so the result is the same on a busy machine. An
 * expression that is not linear takes far more steps than this for strings of this length.
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
 * The result depends only on the expression and on the settings above. Checking all expressions takes a minute, so this
 * file records those that are linear, by digest. Only new and changed ones are checked.
 */
const KNOWN = join(import.meta.dirname, 'linear-expressions.json');
const knownSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));
const known = v.parse(knownSchema, readFileSync(KNOWN, 'utf8'));
const linear: Record<string, string> = {};

const expressions = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ place: v.string(), source: v.string(), flags: v.string() })),
);
for (const { place, source, flags } of v.parse(expressions, await text(process.stdin))) {
  const searched = createHash('sha256')
    .update(JSON.stringify([version, SEARCH, source, flags]))
    .digest('hex');
  const isLinear = known[searched] !== undefined;
  const found = isLinear ? undefined : checkSync(source, flags, SEARCH);
  if (found === undefined || found.status === 'safe') {
    linear[searched] = `/${source}/${flags}`;
    continue;
  }
  const weakness =
    found.status === 'unknown'
      ? `cannot be checked: ${found.error.kind}`
      : `is ${found.complexity.summary}, as with ${found.attack.pattern}`;
  console.log(`${place}: /${source}/${flags} ${weakness}`);
}
if (Object.keys(linear).some((searched) => known[searched] === undefined)) {
  writeFileSync(KNOWN, `${JSON.stringify(linear, undefined, 2)}\n`);
}
