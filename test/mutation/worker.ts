// Runs one file of fast tests against many mutants: `node worker.ts <test file> <mutants as JSON>`, told by its parent.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { mocks, runAll } from './fast-jest.ts';
import { withMutants } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');
const place = { start: v.number(), end: v.number(), line: v.number() };
const mutantSchema = v.object({
  id: v.number(),
  file: v.string(),
  ...place,
  from: v.string(),
  to: v.string(),
});
const [testFile = '', list = ''] = process.argv.slice(2);
const mutants = v.parse(v.pipe(v.string(), v.parseJson(), v.array(mutantSchema)), readFileSync(list, 'utf8'));
const byUrl = Map.groupBy(mutants, ({ file }) => pathToFileURL(join(ROOT, file)).href);

let isOn: number | undefined;
const reached = new Set<number>();
Object.assign(globalThis, {
  __mutant: (id: number) => {
    if (isOn === undefined) reached.add(id);
    return id === isOn;
  },
  __mocks: mocks,
});

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return next(join(import.meta.dirname, 'fast-jest.ts'), context);
    const name = [...mocks.keys()].find(
      (each) => specifier === each || isPathTo(each, specifier, context.parentURL),
    );
    if (name === undefined) return next(specifier, context);
    return { url: `mock:${name}`, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (url.startsWith('mock:')) {
      const name = url.slice('mock:'.length);
      const exports = Object.keys(mocks.get(name) ?? {}).map(
        (each) => `export const ${each} = mocked.${each};`,
      );
      const source = `const mocked = __mocks.get(${JSON.stringify(name)});\n${exports.join('\n')}`;
      return { format: 'module', source, shortCircuit: true };
    }
    const ofFile = byUrl.get(url);
    if (ofFile === undefined) return next(url, context);
    const source = withMutants(readFileSync(new URL(url), 'utf8'), ofFile);
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

function isPathTo(name: string, specifier: string, parent: string | undefined): boolean {
  return specifier.startsWith('.') && new URL(specifier, parent).pathname.endsWith(`/${name}`);
}

// What a mutant leaves behind must not end the next one's run.
process.on('unhandledRejection', () => undefined);

await import(pathToFileURL(join(ROOT, testFile)).href);
await runAll();
process.send?.({ reached: [...reached] });
for (const { id } of mutants.filter((mutant) => reached.has(mutant.id))) {
  process.send?.({ begun: id });
  isOn = id;
  const isKilled = await runAll().then(
    () => false,
    () => true,
  );
  process.send?.({ id, isKilled });
}
process.exit();
