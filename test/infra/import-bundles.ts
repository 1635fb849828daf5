import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { BUNDLES } from '../../lib/bundling/folders.ts';

/**
 * A program that imports functions like Lambda, each with only its own variables. It prints the errors as JSON. A
 * function reads its variables when it is loaded.
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
