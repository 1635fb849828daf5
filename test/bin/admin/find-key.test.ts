import { expect, test } from '@jest/globals';
import { findKey } from '../../../bin/admin/keys-and-credits.ts';
import { CommandFailed } from '../../../bin/cli/cli.ts';
import { storedKey } from '../../keys/stored-key.ts';

const keys = [
  storedKey({ hash: 'h1', label: 'sk-gw-v1-abc...xyz' }),
  storedKey({ hash: 'h2', label: 'sk-gw-v1-abc...xyz' }),
  storedKey({ hash: 'h3', label: 'mk-gw-v1-abc...xyz' }),
];
const store = {
  async *list() {
    yield* keys;
  },
};

test.each([
  ['h2', 'h2'],
  ['mk-gw-v1-abc...xyz', 'h3'],
])('%s names one key', async (name, hash) => {
  expect(await findKey(store, name)).toHaveProperty('hash', hash);
});

test.each([
  ['h', /No key has that hash or label/],
  ['', /No key has that hash or label/],
  ['sk-gw-v1-abc...xyz', /Several keys have that label.*\n {2}h1\n {2}h2$/],
])('%p names no key', async (name, message) => {
  await expect(findKey(store, name)).rejects.toThrow(message);
  await expect(findKey(store, name)).rejects.toThrow(CommandFailed);
});
