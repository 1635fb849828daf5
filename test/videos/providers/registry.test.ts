import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { adapterNames } from '../../../functions/videos/providers/dialects.ts';
import { takesKeys } from '../../../functions/videos/providers/provider-settings.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';

const FOLDER = join(import.meta.dirname, '../../../functions/videos/providers');
const adapters = globSync('*.ts', { cwd: FOLDER })
  .map((file) => ({ name: basename(file, '.ts'), text: readFileSync(join(FOLDER, file), 'utf8') }))
  .filter(({ text }) => /^export const \w+: VideoProvider = \{/m.test(text));

describe('every adapter in the folder', () => {
  test('is in the registry, under its own name', () => {
    expect(adapters.map(({ name }) => name).sort()).toEqual([...adapterNames].sort());
    expect(adapterNames.map((name) => providerOf(name).name)).toEqual(adapterNames);
  });

  test('can test a key, if it takes one', () => {
    const testing = adapterNames.filter((name) => providerOf(name).checkKey !== undefined);
    expect(testing).toEqual(adapterNames.filter(takesKeys));
  });

  test.each(adapters)('has a test: $name', ({ name }) => {
    expect(existsSync(join(import.meta.dirname, `${name}.test.ts`))).toBe(true);
  });

  test.each(adapters)('calls the vendor, not the address of a sample: $name', ({ text }) => {
    expect(text).not.toMatch(/https:\/\/[\w.-]+\.example\b/);
  });
});
