import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { readCredential } from '../../functions/gate/authentication.ts';
import { json } from '../../functions/http/response.ts';

// Read when the module is loaded; refusals would be logged.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { publicHandler } = await import('../../functions/deployed/gate.ts');

type Fields = Readonly<Record<string, readonly string[]>>;

/** As API Gateway makes it: of a repeated field `headers` has the last value only. */
const eventOf = (fields: Fields) =>
  ({
    httpMethod: 'GET',
    resource: '/v1/files',
    headers: Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: fields,
    requestContext: { requestId: 'request-1', domainName: 'api.example' },
  }) as unknown as APIGatewayProxyEvent;

const showing = publicHandler(undefined, async ({ headers }) => json(200, headers));
const readingCredential = publicHandler(undefined, async ({ headers }) => json(200, readCredential(headers)));

async function answerTo(handler: typeof showing, event: APIGatewayProxyEvent) {
  const { statusCode, body } = await handler(event, {} as Context);
  return { status: statusCode, body: JSON.parse(body) };
}

test('of a repeated header all values are read', async () => {
  const event = eventOf({ Prefer: ['respond-async', 'wait=5'], 'X-Once': ['a'] });
  expect(await answerTo(showing, event)).toMatchObject({
    body: { prefer: 'respond-async, wait=5', 'x-once': 'a' },
  });
});

test('of a repeated parameter the last value counts, and all of a list', async () => {
  const event = {
    ...eventOf({}),
    queryStringParameters: { 'ids[]': 'b', limit: '2' },
    multiValueQueryStringParameters: { 'ids[]': ['a', 'b'], limit: ['1', '2'] },
  } as unknown as APIGatewayProxyEvent;
  const showingQuery = publicHandler(undefined, async ({ query }) => json(200, query));
  expect((await answerTo(showingQuery, event)).body).toEqual({ 'ids[]': 'a,b', limit: '2' });
});

test.each<[string, Fields]>([
  ['Authorization', { Authorization: ['Bearer one', 'Bearer two'] }],
  ['Authorization in two spellings', { Authorization: ['Bearer one'], authorization: ['Bearer two'] }],
  ['X-Api-Key', { 'X-Api-Key': ['one', 'two'] }],
])('two credentials are none: %s', async (_, fields) => {
  expect((await answerTo(readingCredential, eventOf(fields))).status).toBe(401);
});

test.each([null, undefined])('an event may have no lists of headers, or no headers (%s)', async (none) => {
  const single = { ...eventOf({}), headers: { 'X-Once': 'a' }, multiValueHeaders: none };
  const event = single as unknown as APIGatewayProxyEvent;
  expect(await answerTo(showing, event)).toMatchObject({ body: { 'x-once': 'a' } });
  const bare = { ...event, headers: none } as unknown as APIGatewayProxyEvent;
  expect(await answerTo(showing, bare)).toMatchObject({ status: 200, body: {} });
});
