import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visible, visibleLines } from '../../../local/terminal/text.ts';
import { anyText } from '../../any-text.ts';
import { HOSTILE, OBEYED, SHOWN } from './hostile-text.ts';

describe('text from outside', () => {
  test('shows control characters escaped', () => {
    expect(visible(HOSTILE)).toBe(SHOWN);
  });

  test('never contains control characters', () => {
    fc.assert(fc.property(anyText, (text) => !OBEYED.test(visible(text))));
  });

  test.each(['Kölner Straße 4', '狐と雪', 'ثعلب', '👩‍🚀', 'a\\u001b', ' !~\u00a0¡'])(
    'leaves %j unchanged',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  test('keeps its meaning in JSON', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(JSON.parse(visible(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
      }),
    );
  });
});

describe('text with lines', () => {
  test('keeps its lines, indents them, and escapes each', () => {
    expect(visibleLines('one\r\ntwo\u001b[A\rthree\n', '  ')).toBe('one\n  two\\u001b[A\\u000dthree\n  ');
  });

  test('has no control characters except line breaks', () => {
    fc.assert(fc.property(anyText, (text) => !OBEYED.test(visibleLines(text, '  ').replaceAll('\n', ''))));
  });
});
