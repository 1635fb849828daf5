import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutantsOf, withMutants } from '../mutation/mutants.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Counts how often each expression of some sources runs. */
export interface Coverage {
  readonly places: number;
  /** Returns a number for each expression and the magnitude of its count, and resets the counts. */
  take(): readonly number[];
}

const MAGNITUDES = 32;

/**
 * Counts the expressions of all sources that are imported after this call. It uses the instrumentation of the mutation
 * tester: where that would switch a fault on, this counts and switches nothing on.
 */
export function watchSources(patterns: readonly string[]): Coverage {
  const sources = new Map(
    patterns.flatMap((pattern) =>
      globSync(pattern, { cwd: ROOT }).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
    ),
  );
  const places = [...sources]
    .flatMap(([file, source]) => mutantsOf(file, source))
    .map((place, id) => ({ ...place, id }));
  const counts = new Uint32Array(places.length);
  const count = (id: number): boolean => {
    counts[id] = (counts[id] ?? 0) + 1;
    return false;
  };
  Object.assign(globalThis, { __mutant: count });
  const watched = new Map(
    [...sources].map(([file, source]) => [
      pathToFileURL(join(ROOT, file)).href,
      withMutants(
        source,
        places.filter((place) => place.file === file),
      ),
    ]),
  );
  registerHooks({
    load(url, context, next) {
      const source = watched.get(url);
      if (source === undefined) return next(url, context);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  return {
    places: places.length,
    take: () => {
      const found: number[] = [];
      for (const [id, times] of counts.entries()) {
        if (times > 0) found.push(id * MAGNITUDES + Math.floor(Math.log2(times)));
      }
      counts.fill(0);
      return found;
    },
  };
}
