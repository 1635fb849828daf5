import { isUtf8 } from 'node:buffer';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Utf8Validator } from '../../../functions/files/type-detection/text-classifier.ts';
import { anyText } from '../../any-text.ts';

function validate(bytes: Uint8Array, lengths: readonly number[]): boolean {
  const validator = new Utf8Validator();
  let at = 0;
  for (const length of lengths) {
    const chunk = Buffer.from(bytes.subarray(at, at + length));
    validator.write(chunk);
    chunk.fill(0x80);
    at += length;
  }
  validator.write(bytes.subarray(at));
  return validator.end();
}

const lengths = fc.array(fc.nat({ max: 3 }), { maxLength: 20 });
const leads = fc.constantFrom(0x41, 0x80, 0xbf, 0xc1, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);

test('agrees with the check of the whole, wherever the chunks are cut', () => {
  const nearlyText = fc.array(fc.oneof(leads, fc.nat({ max: 255 }), fc.constant(0x90)), { maxLength: 8 });
  fc.assert(
    fc.property(nearlyText, lengths, (bytes, cuts) => {
      const file = Uint8Array.from(bytes);
      expect(validate(file, cuts)).toBe(isUtf8(file));
    }),
    { numRuns: 20_000 },
  );
});

test('takes all text, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(anyText, lengths, (text, cuts) => {
      expect(validate(Buffer.from(text), cuts)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
