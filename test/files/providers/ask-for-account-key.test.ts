import { expect, test } from '@jest/globals';
import { askForAccountKey } from '../../../functions/files/providers/account-keys.ts';
import { ApiError } from '../../../functions/http/errors.ts';

const REQUEST = { authorization: 'Bearer key', workspaceId: 'w1', provider: 'openai' } as const;
const failureOf = (reply: unknown) =>
  askForAccountKey(async () => reply)(REQUEST).catch((error: unknown) => error);

test('a key is requested again for each call', async () => {
  const asked: unknown[] = [];
  const ask = askForAccountKey(async (request) => {
    asked.push(request);
    return { outcome: 'opened', apiKey: `sk-${asked.length}` };
  });
  expect([await ask(REQUEST), await ask(REQUEST)]).toEqual(['sk-1', 'sk-2']);
  expect(asked).toEqual([REQUEST, REQUEST]);
});

test.each([
  [
    'none',
    400,
    'no provider key for openai that this request may use; add one with POST /api/v1/byok, or change an existing one with PATCH',
  ],
  ['unauthenticated', 401, 'Invalid API key'],
  ['foreign', 403, 'has no access to'],
  ['busy', 503, 'try again'],
])('%s is a %i to the caller', async (outcome, status, words) => {
  const failure = await failureOf({ outcome });
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status, message: expect.stringContaining(words) });
});

test.each([
  [{ outcome: 'opened' }],
  [{ outcome: 'unheard of', apiKey: 'sk-planted' }],
  [{ apiKey: 'sk-planted' }],
  [null],
])('an invalid reply is shown nowhere: %j', async (reply) => {
  const failure = await failureOf(reply);
  expect(failure).toEqual(new Error('The function that opens provider keys returned an unknown response'));
  expect(Object.keys(failure as object)).toEqual([]);
});
