import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { edgeSecret } from '../../functions/gate/entrance.ts';

const derive = async (name: string) => createHmac('sha256', 'key').update(name).digest();
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the secret of the edge', () => {
  test('is always the same for a generation, and valid in a header', async () => {
    const [once, again] = await Promise.all([edgeSecret(derive, 1), edgeSecret(derive, 1)]);
    expect(again).toEqual(once);
    expect(once.text).toMatch(/^[\w-]{43}$/);
  });

  test('is the only accepted one in the first generation', async () => {
    const { text, sha256 } = await edgeSecret(derive, 1);
    expect(sha256).toEqual([digestOf(text)]);
  });

  test.each([2, 3, 17])(
    'of generation %i is valid, and so is the previous one, but no other',
    async (generation) => {
      const before = await edgeSecret(derive, generation - 1);
      const { text, sha256 } = await edgeSecret(derive, generation);
      expect(text).not.toBe(before.text);
      expect(sha256).toEqual([digestOf(text), digestOf(before.text)]);
    },
  );
});
