import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');

const FORM =
  /^# (?<number>\d{3}) · (?<title>[^\n]+)\n\n\*\d{4}-\d\d-\d\d · (?<status>accepted|replaced by \d{3})\*\n\n\*\*Decided\.\*\* .+\n\n\*\*Why\.\*\* .+\n\n\*\*What it costs\.\*\* .+\n$/s;

test('decisions have unique numbers', () => {
  const numbers = files.map((file) => file.slice(0, 3));
  expect(numbers).toEqual([...new Set(numbers)]);
});

describe.each(files)('%s', (file) => {
  test('has its number, date and status, and says what, why and at what cost', () => {
    expect(read(file)).toMatch(FORM);
    expect(file.slice(0, 3)).toBe(FORM.exec(read(file))?.groups?.number);
  });

  test('is in the list, by its title and status', () => {
    const { number, title, status } = FORM.exec(read(file))?.groups ?? {};
    expect(read('README.md')).toContain(`| [${number}](${file}) | ${title} | ${status} |`);
  });
});
