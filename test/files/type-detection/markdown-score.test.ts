import { describe, expect, test } from '@jest/globals';
import { isMarkdown } from '../../../functions/files/type-detection/markdown-score.ts';

/** One example of each kind of mark. Lists and quotes count as one kind. */
const MARKS = {
  heading: '# Title',
  subheading: '## Section',
  fence: '```\ncode\n```',
  table: 'a | b\n--|--',
  link: 'See [here](#there).',
  strong: 'This is **strong**.',
  code: 'Call `it` so.',
  list: '- one\n- two',
};
const kinds = Object.keys(MARKS) as (keyof typeof MARKS)[];
const pairs = kinds.flatMap((one, i) => kinds.slice(i + 1).map((other) => [one, other] as const));

describe('Markdown', () => {
  test.each(pairs)('is a %s and a %s', (one, other) => {
    expect(isMarkdown(`${MARKS[one]}\n\nWords.\n\n${MARKS[other]}\n`)).toBe(true);
  });

  test.each(kinds)('is not a %s alone, however often', (kind) => {
    expect(isMarkdown(`${MARKS[kind]}\n\nWords.\n\n${MARKS[kind]}\n\n${MARKS[kind]}\n`)).toBe(false);
  });

  test.each([
    ['an open fence', '```\ncode'],
    ['a fence closed by a shorter one', '````\ncode\n```'],
    ['a ruled line', 'Words\n================'],
    ['a list of one', '- one'],
    ['a list in a paragraph', 'Words\n- one\n- two'],
    ['a heading in a paragraph', 'Words\n# Title'],
    ['a heading without a space', '#Title'],
    ['a heading of seven', '####### Title'],
    ['indented code', '    See [here](there) and **there**.'],
    ['powers', 'a ** b ** c'],
    ['an index and a call', 'handlers[i](x)'],
    ['marks in a fence', '~~~\n# Title\n\n**strong**\n~~~'],
  ])('does not count %s', (_, text) => {
    const other = text.startsWith('~~~') ? 'Words.' : MARKS.strong;
    expect(isMarkdown(`${other}\n\n${text}\n`)).toBe(false);
  });

  test('is not the comments of code', () => {
    const code = 'int f(void) {\n  return 1;\n}\n'.repeat(3);
    expect(isMarkdown(`# Title\n\n${MARKS.code}\n\n${code}`)).toBe(false);
    expect(isMarkdown(`# Title\n\n${MARKS.code}\n\n\`\`\`c\n${code}\`\`\`\n`)).toBe(true);
  });

  test.each(['[', '[a](', '**a', '*a* ', '`a ', '|-', '- ', '# ', '> ', '```\n', '~~~\n', '   '])(
    'is looked for in linear time in 64 KiB of %j',
    (unit) => {
      expect(typeof isMarkdown(`${unit.repeat(65_536 / unit.length)}!`)).toBe('boolean');
      const lines = `${unit.repeat(900 / unit.length)}!\n`.repeat(70);
      expect(typeof isMarkdown(lines)).toBe('boolean');
    },
  );
});
