import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { BUNDLES } from '../../lib/function-bundles.ts';

/**
 * A program that loads functions as Lambda does, each with no variables but its own, and prints what that threw
 * as JSON. A function reads its variables as it is loaded.
 */
const inputSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.record(v.string(), v.string())));
const input = v.parse(inputSchema, await text(process.stdin));
const before = { ...process.env };
const failures: Record<string, string> = {};
for (const [name, variables] of Object.entries(input)) {
  process.env = { ...before, ...variables };
  await import(join(BUNDLES, name, 'index.mjs')).catch((error) => {
    failures[name] = String(error);
  });
}
process.stdout.write(JSON.stringify(failures));
