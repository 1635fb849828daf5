import { createHmac, type KeyObject } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { keptKey } from '../../functions/downloads/kept-key.ts';
import { linkKey } from '../../functions/downloads/link-key.ts';

const derive = async (name: string) => createHmac('sha256', 'key').update(name).digest();
let made: number;
let failures: number;
let key: () => Promise<KeyObject>;

beforeEach(() => {
  [made, failures] = [0, 0];
  key = keptKey(async () => {
    made += 1;
    if (made <= failures) throw new Error('KMS does not answer');
    return linkKey(derive, 1);
  });
});

test('no key is made before the first link', () => {
  expect(made).toBe(0);
});

test('links that are made at once share one key, and so do later ones', async () => {
  const [first, ...others] = await Promise.all([key(), key(), key()]);
  expect(others).toEqual([first, first]);
  expect(await key()).toBe(first);
  expect(made).toBe(1);
});

test('a key that could not be made fails its links, and the next link tries again', async () => {
  failures = 1;
  const links = await Promise.allSettled([key(), key()]);
  expect(links.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await key()).type).toBe('private');
  expect(made).toBe(2);
});
