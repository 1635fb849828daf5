import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TARGETS } from './targets.ts';

const CASES = join(import.meta.dirname, 'cases');

/** The inputs that `npm run fuzz` has found, by target. */
const found = readdirSync(CASES).flatMap((name) =>
  readdirSync(join(CASES, name)).map((file) => ({ name, file })),
);

describe('what was once found', () => {
  test.each(found)('$name: $file is borne', async ({ name, file }) => {
    const { check } = TARGETS[name] ?? {};
    await check?.(readFileSync(join(CASES, name, file)));
    expect(check).toBeDefined();
  });
});

describe.each(Object.entries(TARGETS))('what begins the search in %s', (_, { check, seeds }) => {
  test('is borne, and so are some beginnings of it', async () => {
    for (const seed of seeds) {
      for (let eighths = 0; eighths <= 8; eighths++)
        await check(seed.subarray(0, Math.ceil((seed.length * eighths) / 8)));
    }
    expect(seeds.length).toBeGreaterThan(4);
  });
});
