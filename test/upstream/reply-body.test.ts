import { expect, test } from '@jest/globals';
import { readBody } from '../../functions/upstream/reply.ts';

const broken = new ReadableStream({
  start(controller) {
    controller.enqueue(Buffer.from('{"a":'));
    controller.error(new Error('reset'));
  },
});

test.each([
  ['JSON', '{"a":1}', { a: 1 }],
  ['null', 'null', null],
  ['a mebibyte', JSON.stringify('x'.repeat(1024 * 1024 - 2)), 'x'.repeat(1024 * 1024 - 2)],
  ['more than that', JSON.stringify('x'.repeat(1024 * 1024 - 1)), undefined],
  ['JSON cut short', '{"a":', undefined],
  ['a page', '<!doctype html>', undefined],
  ['nothing', null, undefined],
  ['a body that breaks off', broken, undefined],
])('%s is read', async (_, body, expected) => {
  expect(await readBody(new Response(body))).toEqual(expected);
});
