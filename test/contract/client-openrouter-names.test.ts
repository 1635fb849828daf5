import { expect, test } from '@jest/globals';
import { HTTPClient, OpenRouter } from '@openrouter/sdk';
import { inProcess } from './in-process.ts';
import { newWorkspace, stage } from './stage.ts';

test('OpenRouter’s SDK gets typed files from a stage with OpenRouter’s wire names', async () => {
  const { key } = await newWorkspace();
  const fetcher = await inProcess({ WIRE_NAMES: 'openrouter' });
  const { files } = new OpenRouter({
    serverURL: stage.baseUrl,
    apiKey: key,
    retryConfig: { strategy: 'none' },
    httpClient: new HTTPClient({ fetcher: (input, init) => fetcher(new Request(input, init)) }),
  });
  const stored = await files.upload({ requestBody: { file: new File(['{"a":1}'], 'a.json') } });
  expect(stored).toMatchObject({ shape: 'openrouter', mimeType: 'application/json', sizeBytes: 7 });
  if (stored.shape !== 'openrouter') throw new Error('it is not typed');
  expect(await files.retrieve({ fileId: stored.id })).toEqual(stored);
  const [page] = await Array.fromAsync(await files.list({}));
  expect(page?.result).toMatchObject({ shape: 'openrouter', data: [stored] });
  expect(await files.delete({ fileId: stored.id })).toEqual({
    shape: 'openrouter',
    id: stored.id,
    type: 'file_deleted',
  });
});
