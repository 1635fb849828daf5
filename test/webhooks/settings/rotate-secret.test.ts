import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type RotatePorts, rotateSecret } from '../../../functions/webhooks/settings/rotate-secret.ts';
import { describeWebhook } from '../../../functions/webhooks/settings/shown-webhook.ts';
import { WebhookSettingsStore } from '../../../functions/webhooks/settings/webhook-settings.ts';
import { derivedSecrets, encodeSecret, signatureHeaders } from '../../../functions/webhooks/signature.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld, type FaultPlan, faultAt } from '../../engines/index.ts';
import { ALL, acceptedBy } from '../public-verifiers.ts';

const HOUR = 3_600_000;
const WORKSPACE = 'w';
const START = Date.parse('2030-01-01T00:00:00Z');

/** A workspace's settings, whose clock stands at an hour until the test moves it. */
async function start() {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = await createTable(dynamo, 'workspace_id');
  const settings = new WebhookSettingsStore(dynamo, table);
  let derive = async (name: string) => Buffer.from(name.padEnd(32, '.'));
  const secrets = derivedSecrets((name) => derive(name));
  let hour = 0;
  let tokens = 0;
  const now = () => new Date(START + hour * HOUR);
  const ports: RotatePorts = { settings, secrets, now, newToken: () => `token-${tokens++}` };
  const rotate = async (overlapHours: number, own: Partial<RotatePorts> = {}) => {
    const { secret } = await rotateSecret(WORKSPACE, overlapHours * HOUR, { ...ports, ...own });
    return encodeSecret(secret);
  };
  const signing = async () => secrets.active(WORKSPACE, await settings.find(WORKSPACE), now());
  return {
    world,
    dynamo,
    table,
    settings,
    rotate,
    at: (next: number) => {
      hour = next;
    },
    breakDerivation: () => {
      derive = () => Promise.reject(new Error('KMS is out of reach'));
    },
    reveal: async () => {
      const { secret_version: newest } = await settings.find(WORKSPACE);
      return encodeSecret(await secrets.secret(WORKSPACE, newest));
    },
    shown: async () => describeWebhook(await settings.find(WORKSPACE), now()).signing_secrets,
    names: async () => (await signing()).map(encodeSecret),
    /** Which of these secrets a receiver can verify a delivery of this moment with, by every public package. */
    verifying: async (known: readonly string[]) => {
      const body = '{"type":"webhook.test"}';
      // The packages compare with the clock of the machine.
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = signatureHeaders({ id: 'msg_1', timestamp, body }, await signing());
      const accepted = await Promise.all(known.map((secret) => acceptedBy({ body, headers }, secret)));
      return known.filter((_, index) => accepted[index]?.length === ALL.length);
    },
    lost: (plan: FaultPlan) => {
      world.faults = plan;
    },
  };
}

const lostAnswer = faultAt({ operation: 'UpdateItem', nth: 1 }, 'answer lost');

describe('within an overlap', () => {
  test.each([1, 2, 3, 4])('%i rotations leave every secret signing until its time', async (times) => {
    const { rotate, reveal, at, verifying } = await start();
    const secrets = [await reveal()];
    for (let rotation = 0; rotation < times; rotation++) {
      at(rotation);
      secrets.push(await rotate(24));
    }
    expect(new Set(secrets).size).toBe(times + 1);
    at(times);
    expect(await verifying(secrets)).toEqual(secrets);
    // The first was replaced at hour 0, the second at hour 1 …
    for (let ended = 1; ended <= times; ended++) {
      at(24 + ended - 1);
      expect(await verifying(secrets)).toEqual(secrets.slice(ended));
    }
  });

  test('a shorter overlap ends no older secret early', async () => {
    const { rotate, reveal, at, verifying, shown } = await start();
    const first = await reveal();
    const second = await rotate(24);
    const third = await rotate(1);
    const fourth = await rotate(0);
    expect(await verifying([first, second, third, fourth])).toEqual([first, second, fourth]);
    expect(await shown()).toEqual([
      { name: 'secret-4', expires_at: null },
      { name: 'secret-2', expires_at: '2030-01-01T01:00:00.000Z' },
      { name: 'secret-1', expires_at: '2030-01-02T00:00:00.000Z' },
    ]);
    at(1);
    expect(await verifying([first, second, third, fourth])).toEqual([first, fourth]);
  });

  test('a fifth rotation is refused in words until the first secret ends', async () => {
    const { rotate, at, names } = await start();
    for (const overlap of [3, 2, 4, 5]) await rotate(overlap);
    const before = await names();
    expect(before).toHaveLength(5);
    await expect(rotate(1)).rejects.toThrow(
      '5 secrets are active, which is the maximum. Rotate again at 2030-01-01T02:00:00.000Z, when' +
        ' secret-2 expires, or now with overlap_hours 0, which makes secret-5 expire immediately',
    );
    await expect(rotate(1)).rejects.toMatchObject({ status: 409 });
    expect(await names()).toEqual(before);
    at(2);
    await rotate(1);
    expect(await names()).toHaveLength(5);
  });

  test('a rotation without an overlap is possible even then, and ends the newest secret only', async () => {
    const { rotate, verifying, reveal } = await start();
    const secrets = [await reveal()];
    for (let rotation = 0; rotation < 4; rotation++) secrets.push(await rotate(24));
    const next = await rotate(0);
    expect(await verifying([...secrets, next])).toEqual([...secrets.slice(0, 4), next]);
  });
});

describe('a secret that signs has been shown', () => {
  test('when the answer to its write was lost and the SDK has written again', async () => {
    const { rotate, reveal, names, lost } = await start();
    const first = await reveal();
    lost(lostAnswer);
    const second = await rotate(24);
    expect(await names()).toEqual([second, first]);
  });

  test('when others have rotated before the SDK wrote again', async () => {
    const { world, rotate, names, settings } = await start();
    const both: string[] = [];
    let others: Promise<unknown> | undefined;
    world.faults = (call) => {
      if (call.operation !== 'UpdateItem' || others !== undefined) return undefined;
      // Begins while the first waits to write again.
      others = rotate(24).then((secret) => both.push(secret));
      return 'answer lost';
    };
    both.push(await rotate(24));
    await others;
    expect(both).toHaveLength(2);
    expect((await settings.find(WORKSPACE)).secret_version).toBe(3);
    expect((await names()).toSorted()).toEqual(expect.arrayContaining(both.toSorted()));
  });

  test('when several rotate at the same time', async () => {
    const { rotate, reveal, names } = await start();
    const first = await reveal();
    const shown = await Promise.all([rotate(24), rotate(24), rotate(24)]);
    expect((await names()).toSorted()).toEqual([first, ...shown].toSorted());
  });

  test('when it cannot be derived', async () => {
    const { rotate, settings, breakDerivation } = await start();
    breakDerivation();
    await expect(rotate(24)).rejects.toThrow('KMS is out of reach');
    expect((await settings.find(WORKSPACE)).secret_version).toBe(1);
  });
});

test('whoever is always overtaken is told to try again', async () => {
  const { rotate, settings } = await start();
  let asked = 0;
  const overtaken: RotatePorts['settings'] = {
    find: (id) => settings.find(id),
    rotate: async () => {
      asked++;
      return undefined;
    },
  };
  await expect(rotate(24, { settings: overtaken })).rejects.toMatchObject({ status: 409 });
  expect(asked).toBe(5);
});

describe('beside the release that knew one previous secret', () => {
  const old = { workspace_id: WORKSPACE, secret_version: 3, previous_secret_until: START + HOUR };

  test('its row is read, and a rotation keeps the secret that still signed', async () => {
    const { dynamo, table, rotate, names, shown, at } = await start();
    await dynamo.send(new PutCommand({ TableName: table, Item: old }));
    const [third, second] = await names();
    expect(await shown()).toEqual([
      { name: 'secret-3', expires_at: null },
      { name: 'secret-2', expires_at: '2030-01-01T01:00:00.000Z' },
    ]);
    const fourth = await rotate(24);
    expect(await names()).toEqual([fourth, third, second]);
    at(1);
    expect(await names()).toEqual([fourth, third]);
  });

  test('it signs with the secret before the newest for as long as was told', async () => {
    const { dynamo, table, rotate } = await start();
    await dynamo.send(new PutCommand({ TableName: table, Item: old }));
    await rotate(24);
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { workspace_id: WORKSPACE }, ConsistentRead: true }),
    );
    expect(Item).toMatchObject({ secret_version: 4, previous_secret_until: START + 24 * HOUR });
  });

  test('a rotation of its own ends none of the secrets that it did not know', async () => {
    const { dynamo, table, rotate, reveal, names } = await start();
    const secrets = [await reveal(), await rotate(24), await rotate(24)];
    await dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: { workspace_id: WORKSPACE },
        UpdateExpression: 'SET secret_version = secret_version + :one, previous_secret_until = :until',
        ExpressionAttributeValues: { ':one': 1, ':until': START + HOUR },
      }),
    );
    secrets.push(await reveal());
    expect(await names()).toEqual(secrets.toReversed());
  });
});
