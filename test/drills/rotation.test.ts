/**
 * Rotates the edge's secret of a stage with gradual deployments while callers use it: `npm run drills:rotation`.
 * CloudFront is played here: each request carries the secret that the deployed distribution has at that moment.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudFrontClient,
  GetDistributionConfigCommand,
  ListDistributionsCommand,
} from '@aws-sdk/client-cloudfront';
import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { EDGE_SECRET_HEADER } from '../../functions/http/headers.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { DrilledStage, DrillFailed } from './drilled-stage.ts';

const SETTINGS = { edge: 'cloudfront', edgeSecretSha256: [], deployments: 'canary' };
const GENERATIONS = [2, 3];

const keySchema = v.object({ key: v.string() });
const createdSchema = v.object({ id: v.string() });
const workspaceSchema = v.object({ data: createdSchema });

/** A stage behind a distribution, as its callers see it. */
class BehindCloudFront {
  readonly secrets = new Set<string>();
  readonly #stage: DrilledStage;
  readonly #client: CloudFrontClient;

  constructor(stage: DrilledStage) {
    this.#stage = stage;
    this.#client = new CloudFrontClient(stage.aws);
  }

  async call(key: string, method: string, path: string, body?: object | FormData): Promise<Response> {
    const secret = await this.#secret();
    this.secrets.add(secret);
    const headers = {
      authorization: `Bearer ${key}`,
      [EDGE_SECRET_HEADER]: secret,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    };
    const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const url = `${this.#stage.aws.endpoint}/_aws/execute-api/${this.#stage.output('ApiId')}/api/v1${path}`;
    return fetch(url, { method, headers, redirect: 'manual', ...(sent === undefined ? {} : { body: sent }) });
  }

  /** The secret that the distribution of the API sends to its origin. */
  async #secret(): Promise<string> {
    const { DistributionList } = await this.#client.send(new ListDistributionsCommand());
    for (const { Id } of DistributionList?.Items ?? []) {
      const { DistributionConfig } = await this.#client.send(new GetDistributionConfigCommand({ Id }));
      const sent = DistributionConfig?.Origins?.Items?.flatMap(
        ({ CustomHeaders }) => CustomHeaders?.Items ?? [],
      );
      const found = sent?.find(({ HeaderName }) => HeaderName?.toLowerCase() === EDGE_SECRET_HEADER);
      if (found?.HeaderValue !== undefined) return found.HeaderValue;
    }
    throw new DrillFailed('No distribution sends a secret');
  }
}

jest.setTimeout(3_600_000);

test('nobody is refused during a rotation', async () => {
  await using stage = await DrilledStage.start();
  await stage.bootstrap();
  await stage.deploy({ ...SETTINGS, edgeSecretGeneration: 1 });
  const edge = new BehindCloudFront(stage);
  const requests = await requestsOf(edge, await stage.managementKey(CHECKOUT));
  for (const edgeSecretGeneration of GENERATIONS)
    await underLoad(requests, () => stage.deploy({ ...SETTINGS, edgeSecretGeneration }));
  expect(edge.secrets.size).toBe(1 + GENERATIONS.length);
});

type Requests = Readonly<Record<string, () => Promise<Response>>>;

/** One for each endpoint that is deployed gradually, and one for another. */
async function requestsOf(edge: BehindCloudFront, manager: string): Promise<Requests> {
  const created = async <const Schema extends v.GenericSchema>(
    schema: Schema,
    ...call: Parameters<typeof edge.call>
  ) => v.parse(schema, await (await edge.call(...call)).json());
  const { data } = await created(workspaceSchema, manager, 'POST', '/workspaces', {
    name: 'Drill',
    slug: 'drill',
  });
  const { key } = await created(keySchema, manager, 'POST', '/keys', {
    name: 'Drill',
    workspace_id: data.id,
  });
  const form = () => {
    const fields = new FormData();
    fields.append('file', new Blob(['A text.\n']), 'drill.txt');
    return fields;
  };
  const clip = { model: 'sandbox/clip-1', prompt: 'A drill', duration: 1, size: '640x360' };
  const file = await created(createdSchema, key, 'POST', '/files', form());
  const job = await created(createdSchema, key, 'POST', '/videos', clip);
  return {
    'submit-video': () => edge.call(key, 'POST', '/videos', clip),
    'upload-file': () => edge.call(key, 'POST', '/files', form()),
    'get-video': () => edge.call(key, 'GET', `/videos/${job.id}`),
    'get-file-content': () => edge.call(key, 'GET', `/files/${file.id}/content`),
    'get-current-key': () => edge.call(key, 'GET', '/key'),
  };
}

/** Sends each request again and again until the work has ended, and once more. Fails where one is refused. */
async function underLoad(requests: Requests, work: () => Promise<void>): Promise<void> {
  const working = { is: true };
  const sent = Object.entries(requests).map(async ([name, send]) => {
    for (let isLast = false; !isLast; ) {
      isLast = !working.is;
      const { status } = await send();
      expect([name, status]).not.toEqual([name, 403]);
      if (isLast) expect([name, status < 400]).toEqual([name, true]);
      await wait(200);
    }
  });
  await Promise.all([work().finally(() => (working.is = false)), ...sent]);
}
