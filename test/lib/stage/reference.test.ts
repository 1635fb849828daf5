import { expect, test } from '@jest/globals';
import { settingsFile, settingsInterface, settingsReference } from '../../../lib/stage/reference.ts';

test.each([
  ['dataDiscount', 'a number from 0 to 1'],
  ['endpointCacheSeconds', 'a whole number from 1 to 300'],
  ['generationLogDays', 'a whole number from 1 to 90'],
])('%s takes %s', (name, takes) => {
  const row = settingsReference()
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\` |`));
  expect(row?.split(' | ')[1]).toBe(takes);
});

test('a new file of settings says what each setting and each of its parts takes', () => {
  const text = settingsFile();
  expect(text).toContain('// "logLevel": "INFO", // "DEBUG", "INFO", "WARN", "ERROR"\n');
  expect(text).toContain('  // "strict": false, // true, false\n');
  expect(text).toContain('// providerBaseUrls.openai: Default: "https://api.openai.com/v1"\n');
  expect(text).toMatch(/own\.namePrefix: The prefix [^"]+ Default: "Genway"\n/);
});

test('links of the reference name the page where there are no links', () => {
  const link = /\]\(/;
  expect(settingsReference()).toMatch(link);
  for (const text of [settingsFile(), settingsInterface()]) {
    expect(text).not.toMatch(link);
    expect(text).toContain('docs/routing.md#the-settings-of-a-provider');
  }
});
