import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { newWorkspace, stage } from './stage.ts';

describe('openai', () => {
  const clientOf = (apiKey: string) => new OpenAI({ baseURL: stage.baseUrl, apiKey, maxRetries: 0 });

  test('does every operation upon files', async () => {
    const { files } = clientOf((await newWorkspace()).key);
    const stored = await files.create({ file: new File(['{"a":1}\n{"a":2}'], 'b.jsonl'), purpose: 'batch' });
    expect(stored).toMatchObject({
      object: 'file',
      bytes: 15,
      filename: 'b.jsonl',
      purpose: 'batch',
      status: 'processed',
    });
    const others = await Promise.all(
      ['one', 'two', 'three'].map((text) =>
        files.create({ file: new File([text], `${text}.txt`), purpose: 'user_data' }),
      ),
    );
    expect(await files.retrieve(stored.id)).toEqual(stored);
    expect(await files.waitForProcessing(stored.id)).toEqual(stored);
    expect(await (await files.content(stored.id)).text()).toBe('{"a":1}\n{"a":2}');
    const listed: string[] = [];
    for await (const file of files.list({ limit: 2 })) listed.push(file.id);
    expect(listed.sort()).toEqual([stored, ...others].map(({ id }) => id).sort());
    const newest = [];
    for await (const { id } of files.list({ limit: 2, order: 'desc' })) newest.push(id);
    expect(newest).toEqual(listed.toReversed());
    expect(await files.delete(stored.id)).toMatchObject({ id: stored.id, deleted: true });
  });

  test('uploads a stream of unknown length', async () => {
    const { files } = clientOf((await newWorkspace()).key);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 100; i++) controller.enqueue(new TextEncoder().encode(`line ${i}\n`));
        controller.close();
      },
    });
    const file = await files.create({
      file: await OpenAI.toFile(new Response(body), 'streamed.txt'),
      purpose: 'user_data',
    });
    expect(file).toMatchObject({ filename: 'streamed.txt', bytes: 790 });
  });

  test('gets its own errors', async () => {
    const { key } = await newWorkspace();
    await expect(clientOf('sk-wrong').files.list()).rejects.toMatchObject({ status: 401 });
    await expect(clientOf(key).files.retrieve('gw_file_0')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const zip = new File([Buffer.from('PK\x03\x04 no document')], 'a.zip');
    await expect(clientOf(key).files.create({ file: zip, purpose: 'user_data' })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
  });
});

describe('@anthropic-ai/sdk', () => {
  // The client adds `/v1` itself.
  const baseURL = stage.baseUrl.replace(/\/v1$/, '');
  const clientOf = (apiKey: string) => new Anthropic({ baseURL, apiKey, maxRetries: 0 });

  test('does every operation upon files', async () => {
    const { key, id: workspace_id } = await newWorkspace();
    const client = clientOf(key);
    const { files } = client;
    const scope = { workspace_id };
    const stored = await files.upload({ file: new File(['# Title\n\n- one\n- two\n'], 'notes.md') });
    expect(stored).toMatchObject({
      type: 'file',
      filename: 'notes.md',
      mime_type: 'text/markdown',
      size_bytes: 21,
      downloadable: true,
    });
    await Promise.all(
      ['one', 'two', 'three'].map((text) => files.upload({ file: new File([text], `${text}.txt`) })),
    );
    expect(await files.retrieveMetadata(stored.id)).toEqual(stored);
    expect(await (await files.download(stored.id)).text()).toBe('# Title\n\n- one\n- two\n');
    const listed: string[] = [];
    for await (const file of files.list({ limit: 2 })) listed.push(file.filename);
    expect(listed.sort()).toEqual(['notes.md', 'one.txt', 'three.txt', 'two.txt']);
    const { data } = await files.list({ ids: [stored.id, 'file_of_nobody'], ...scope });
    expect(data).toEqual([stored]);
    expect((await client.beta.files.list({ scope_id: 'session-1' })).data).toEqual([]);
    expect(await files.delete(stored.id)).toMatchObject({ id: stored.id, type: 'file_deleted' });
    await expect(files.retrieveMetadata(stored.id)).rejects.toMatchObject({ status: 404 });
  });
});
