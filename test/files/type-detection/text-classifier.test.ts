import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TextClassifier } from '../../../functions/files/type-detection/text-classifier.ts';
import { detect } from './detect.ts';

const TABLE = 'id,name\n1,red fox\n2,grey wolf\n';
const PROSE = 'It snowed, at last.\nThe fox ran, and hid.\n';

function kindOf(beginning: string | undefined, sample: string): string {
  const text = new TextClassifier();
  text.write(Buffer.from(TABLE));
  if (beginning !== undefined) text.leaveOutTables(beginning);
  text.write(Buffer.from(TABLE));
  return text.kind(sample);
}

describe('a text that is a table by its grammar', () => {
  test.each([
    ['a table if its layout fits too', TABLE, 'text/csv'],
    ['no table if its beginning does not look like one', PROSE, 'text/plain'],
    ['judged at its end if it is short', undefined, 'text/csv'],
  ])('is %s', (_, beginning, kind) => {
    expect(kindOf(beginning, TABLE)).toBe(kind);
  });

  test.each([
    ['a table', TABLE, 'text/csv'],
    ['prose', PROSE, 'text/plain'],
  ])('is %s at any length and in any chunks', async (_, lines, kind) => {
    for (const length of [60_000, 64 * 1024, 70_000, 200_000]) {
      const whole = lines.repeat(Math.ceil(length / lines.length)).slice(0, length);
      const text = whole.slice(0, whole.lastIndexOf('\n') + 1);
      for (const chunk of [1_000, 64 * 1024, text.length]) {
        const chunks = Array<number>(Math.ceil(text.length / chunk)).fill(chunk);
        expect(await detect(text, chunks)).toBe(kind);
      }
    }
  });
});

test('a NUL is seen wherever the bytes are cut, beside bytes that are not UTF-8 too', () => {
  const byte = fc.constantFrom(0, 0xff, ...Buffer.from('[1]'));
  fc.assert(
    fc.property(fc.array(fc.array(byte, { maxLength: 3 }), { maxLength: 4 }), (chunks) => {
      const text = new TextClassifier();
      for (const chunk of chunks) text.write(Buffer.from(chunk));
      expect(text.hasNul).toBe(chunks.flat().includes(0));
      expect(text.isText()).toBe(!chunks.flat().some((each) => each === 0 || each === 0xff));
    }),
  );
});
