import { describe, expect, test } from '@jest/globals';
import { customResource } from '../../../functions/endpoints/deployment/custom-resource.ts';

const ADDRESS = 'https://cloudformation.example/answer?X-Amz-Signature=s';
const REQUEST = {
  RequestType: 'Create',
  ResponseURL: ADDRESS,
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'Values',
  ResourceProperties: { ServiceToken: 'arn', Generation: '2' },
};

/** Returns what CloudFormation is told and what is logged. */
async function ask(
  event: object,
  values: Parameters<typeof customResource>[0],
  status = 200,
  remove?: Parameters<typeof customResource>[2],
) {
  const answers: Request[] = [];
  const logged: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    answers.push(new Request(input, init));
    return new Response(null, { status });
  };
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => logged.push(line),
  };
  await customResource(values, { fetch, log }, remove)(event);
  const [answer] = answers;
  return {
    address: answer!.url,
    method: answer!.method,
    type: answer!.headers.get('content-type'),
    logged,
    body: await answer!.json(),
  };
}

describe('a custom resource', () => {
  test.each(['Create', 'Update'])(
    'sends the values for %s to the address that CloudFormation gave',
    async (type) => {
      const values = async ({ Generation }: Readonly<Record<string, unknown>>) => ({
        Doubled: `${Generation}${Generation}`,
      });
      const {
        address,
        method,
        type: contentType,
        body,
      } = await ask({ ...REQUEST, RequestType: type }, values);
      expect([address, method, contentType]).toEqual([ADDRESS, 'PUT', null]);
      expect(body).toEqual({
        Status: 'SUCCESS',
        NoEcho: true,
        Data: { Doubled: '22' },
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'Values',
        PhysicalResourceId: 'Values',
      });
    },
  );

  test('can be deleted without computing its values', async () => {
    const values = async () => {
      throw new Error('not to be asked');
    };
    const event = { ...REQUEST, RequestType: 'Delete', PhysicalResourceId: 'made-before' };
    const { body, logged } = await ask(event, values);
    expect(body).toMatchObject({ Status: 'SUCCESS', Data: {}, PhysicalResourceId: 'made-before' });
    expect(logged).toEqual([]);
  });

  test('runs its deletion step with its properties, only at its deletion', async () => {
    const removed: unknown[] = [];
    const remove = async (properties: unknown) => void removed.push(properties);
    const nothing = async () => ({});
    for (const RequestType of ['Create', 'Update'])
      await ask({ ...REQUEST, RequestType }, nothing, 200, remove);
    expect(removed).toEqual([]);
    const { body } = await ask({ ...REQUEST, RequestType: 'Delete' }, nothing, 200, remove);
    expect(body).toMatchObject({ Status: 'SUCCESS', Data: {} });
    expect(removed).toEqual([REQUEST.ResourceProperties]);
  });

  test('is not deleted if that step fails', async () => {
    const remove = () => Promise.reject(new Error('the bucket keeps something'));
    const { body } = await ask({ ...REQUEST, RequestType: 'Delete' }, async () => ({}), 200, remove);
    expect(body).toMatchObject({ Status: 'FAILED' });
  });

  test('reports a failure at once by its name, and writes the rest only to the log', async () => {
    const error = Object.assign(new Error('no right to key 1234'), { name: 'AccessDeniedException' });
    const { body, logged } = await ask(REQUEST, () => Promise.reject(error));
    expect(body).toMatchObject({
      Status: 'FAILED',
      PhysicalResourceId: 'Values',
      Reason: expect.stringContaining('AccessDeniedException'),
    });
    expect(JSON.stringify(body)).not.toContain('1234');
    expect(logged).toEqual([[expect.any(String), { error }]]);
  });

  test('fails if CloudFormation does not accept its answer', async () => {
    await expect(ask(REQUEST, async () => ({}), 403)).rejects.toThrow('403');
  });
});
