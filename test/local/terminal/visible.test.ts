import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visible, visibleLines } from '../../../local/terminal/visible.ts';
import { HOSTILE, OBEYED, SHOWN } from './hostile-text.ts';

const anyText = fc.string({ unit: 'binary' });

describe('text from outside', () => {
  test('shows what a terminal would obey', () => {
    expect(visible(HOSTILE)).toBe(SHOWN);
  });

  test('never holds anything that a terminal obeys', () => {
    fc.assert(fc.property(anyText, (text) => !OBEYED.test(visible(text))));
  });

  test.each(['Kölner Straße 4', '狐と雪', 'ثعلب', '👩‍🚀', 'a\\u001b', ' !~\u00a0¡'])(
    'leaves %j as it is',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  test('says the same as JSON', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(JSON.parse(visible(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
      }),
    );
  });
});

describe('text with lines', () => {
  test('keeps them, each set in and shown like any text', () => {
    expect(visibleLines('one\r\ntwo\u001b[A\rthree\n', '  ')).toBe('one\n  two\\u001b[A\\u000dthree\n  ');
  });

  test('holds line breaks alone', () => {
    fc.assert(fc.property(anyText, (text) => !OBEYED.test(visibleLines(text, '  ').replaceAll('\n', ''))));
  });
});
