import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { LambdaHandler } from '../../functions/deployed/gate.ts';
import { routes } from '../../functions/endpoints/definitions.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { eventOf, handlerOf, reachAws } from './in-process.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo } from './until.ts';

/**
 * The deployed stage has no discount. So the functions that show and charge prices run here, on its tables, with one.
 */
const DISCOUNT = 0.3333;
const ROUTES = ['submit-video', 'estimate-video', 'list-video-models'] as const;
const VIDEO = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };

const handlers = new Map<string, LambdaHandler>();
beforeAll(async () => {
  reachAws(stage.aws.endpoint);
  const functions = await deployedFunctions(stage.aws);
  for (const id of ROUTES) {
    const deployed = functions.get(id)?.Environment?.Variables;
    expect(deployed).toHaveProperty('DATA_DISCOUNT', '0');
    handlers.set(id, await handlerOf(id, { ...deployed, DATA_DISCOUNT: String(DISCOUNT) }));
  }
});

async function ask(id: (typeof ROUTES)[number], key: string) {
  const body = Buffer.from(JSON.stringify(VIDEO));
  const event = eventOf(routes[id], { key, body, headers: { 'content-type': 'application/json' } });
  const answer = await handlers.get(id)!(event, {} as Context);
  const text = answer.isBase64Encoded ? Buffer.from(answer.body, 'base64').toString() : answer.body;
  return { status: answer.statusCode, body: JSON.parse(text) };
}

async function keyWithLimit(workspaceId: string, limit: number) {
  const json = { name: 'Limited', workspace_id: workspaceId, limit };
  const { body } = await call('POST', '/keys', { key: stage.managementKey, json });
  return { secret: body.key as string, hash: body.data.hash as string };
}

describe.each([
  // The price is rounded up: the discount never takes off a fraction of a micro-dollar.
  [true, 0.006667, 0.006666],
  [false, 0.01, 0.009999],
])('of a workspace whose is_data_discount_logging_enabled is %s, a video', (agrees, price, tooLittle) => {
  const aCaller = async (limit: number) => {
    const { id } = await newWorkspace();
    const json = { is_data_discount_logging_enabled: agrees };
    await call('PATCH', `/workspaces/${id}`, { key: stage.managementKey, json });
    return keyWithLimit(id, limit);
  };

  test(`is estimated, held and paid at $${price}`, async () => {
    const { secret, hash } = await aCaller(price);
    expect(await ask('estimate-video', secret)).toMatchObject({
      status: 200,
      body: { cost: price, fits: true, remaining: price },
    });
    const { status, body } = await ask('submit-video', secret);
    expect([status, body.estimated_cost]).toEqual([202, price]);
    expect(await ask('submit-video', secret)).toMatchObject({
      status: 402,
      body: { error: { metadata: { scope: 'key', estimate_usd: price, remaining_usd: 0 } } },
    });
    const ended = await endedVideo(body.id, secret);
    expect(ended.body).toMatchObject({ status: 'completed', usage: { cost: price } });
    expect((await call('GET', `/keys/${hash}`, { key: stage.managementKey })).body.data).toMatchObject({
      usage: price,
      limit_remaining: 0,
    });
  });

  test('is refused if the limit is a micro-dollar below that', async () => {
    const { secret } = await aCaller(tooLittle);
    expect((await ask('submit-video', secret)).status).toBe(402);
  });
});

test('the list of models shows the discount beside list prices', async () => {
  const { body } = await ask('list-video-models', '');
  const model = body.data.find(({ id }: { id: string }) => id === VIDEO.model);
  expect(model).toMatchObject({ data_discount: DISCOUNT, pricing_skus: { duration_seconds: '0.01' } });
});
