import { describe, expect, test } from '@jest/globals';
import { examples } from '../../functions/openapi/examples.ts';
import { openApiJson } from '../../functions/openapi/text.ts';
import { type Exchange, ExchangeChecker } from './exchange-checker.ts';

const checker = new ExchangeChecker(JSON.parse(openApiJson()));
const video = examples.operations['submit-video'];

const exchange = ({
  headers = {},
  ...change
}: Partial<Omit<Exchange, 'headers'>> & { headers?: object } = {}): Exchange => ({
  method: 'POST',
  path: '/videos',
  requestBody: video?.request,
  status: 202,
  headers: new Headers({
    'x-request-id': 'x',
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  }),
  body: video?.answers[202],
  ...change,
});

test('recorded exchanges match the description', () => {
  expect(checker.deviations(exchange())).toEqual([]);
});

describe('a deviation is found in', () => {
  const body = Object(video?.answers[202]);
  test.each<[string, Exchange, RegExp]>([
    ['a status', exchange({ status: 418 }), /^submitVideo has no 418$/],
    ['an additional field', exchange({ body: { ...body, secret: 1 } }), /additional properties.*secret/],
    ['a field of another type', exchange({ body: { ...body, status: 'done' } }), /\/status/],
    [
      'a body of another type',
      exchange({ headers: { 'content-type': 'text/plain' } }),
      /a body of text\/plain/,
    ],
    ['a header', exchange({ headers: { 'retry-after': '1' } }), /a header retry-after that is not described/],
    ['a request that was accepted', exchange({ requestBody: { model: 'a' } }), /the request.*prompt/],
    [
      'a query that was accepted',
      exchange({
        method: 'GET',
        path: '/videos?limit=0',
        status: 200,
        body: { data: [], has_more: false, cursor: null },
      }),
      /the query’s limit/,
    ],
    ['an answer of an unknown operation', exchange({ path: '/nothing', status: 200 }), /200 of no operation/],
  ])('%s', (_, deviating, found) => {
    expect(checker.deviations(deviating).join()).toMatch(found);
  });

  test('the lack of a request id', () => {
    const headers = new Headers({ 'content-type': 'application/json' });
    expect(checker.deviations({ ...exchange(), headers })).toEqual(['no x-request-id']);
  });
});

describe('no deviation is', () => {
  test.each<[string, Exchange]>([
    [
      'a wrong request that was refused',
      exchange({ requestBody: {}, status: 400, body: examples.refusals[400] }),
    ],
    [
      'an unknown field of a request',
      exchange({ requestBody: { ...Object(video?.request), session_id: 'x' } }),
    ],
    ['a 404 for an unknown path', exchange({ path: '/nothing', status: 404, body: examples.refusals[404] })],
    [
      'the answer to HEAD without its body',
      exchange({ method: 'HEAD', path: '/videos', status: 200, body: '' }),
    ],
  ])('%s', (_, fine) => {
    expect(checker.deviations(fine)).toEqual([]);
  });
});
