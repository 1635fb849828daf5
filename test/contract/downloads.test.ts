import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type MakeLink, s3Links } from '../../functions/downloads/links.ts';
import { call, form, newWorkspace, stage } from './stage.ts';

const { apiKey: key, managementKey: management, aws, uploadEnvironment } = stage;
const upload = (body: FormData) => call('POST', '/files', { key, body });
const TEXT = 'A red fox, then fresh snow\n';
const NAME = "it's 雪 (1).txt";
const DISPOSITION = "attachment; filename*=UTF-8''it%27s%20%E9%9B%AA%20%281%29.txt";

const toS3: MakeLink = s3Links(aws, uploadEnvironment.FILES_BUCKET);
let file: { id: string; objectKey: string };
beforeAll(async () => {
  const { body } = await upload(form(TEXT, NAME));
  const { pathname } = new URL(await linkOf(body.id));
  file = { id: body.id, objectKey: pathname.slice('/downloads/'.length) };
});

async function linkOf(id: string): Promise<string> {
  const { body } = await call('GET', `/files/${id}/content?redirect=false`, { key });
  return body.url;
}

/** A stage without an edge gives links to S3; here they are made with root's key. */
const places: [string, () => Promise<string>][] = [
  ['through the edge', () => linkOf(file.id)],
  [
    'to S3',
    async () => {
      const download = { key: file.objectKey, shownAs: 'attachment', filename: NAME } as const;
      return (await toS3(download, new Date())).url;
    },
  ],
];

describe.each(places)('a link %s', (_, makeLink) => {
  test('gives the file as plain bytes under its name', async () => {
    const response = await fetch(await makeLink());
    expect(await response.text()).toBe(TEXT);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe(DISPOSITION);
  });

  test('answers ranges, and conditions', async () => {
    const url = await makeLink();
    const range = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([range.status, range.headers.get('content-range'), await range.text()]).toEqual([
      206,
      `bytes 2-4/${TEXT.length}`,
      'red',
    ]);
    const etag = range.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('is readable for a page of any origin, after a preflight', async () => {
    const url = await makeLink();
    const headers = { origin: 'https://app.example' };
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'range',
      },
    });
    const response = await fetch(url, { headers });
    for (const { status, headers: answered } of [preflight, response]) {
      expect([status, answered.get('access-control-allow-origin')]).toEqual([200, '*']);
    }
    expect(response.headers.get('access-control-expose-headers')).toContain('content-range');
  });

  test.each<[string, (url: string) => string]>([
    ['leads to another object', (url) => url.replace(/gw_file_./, 'gw_file_1')],
    ['has another name', (url) => url.replace(/it%(25)?27s/, 'its')],
    ['ends later', (url) => url.replace(/Expires=\d/, 'Expires=9')],
    ['lacks its signature', (url) => url.replace(/&(X-Amz-)?Signature=[^&]*/, '')],
  ])('that was changed and %s gets a 403', async (_what, change) => {
    const url = await makeLink();
    expect(change(url)).not.toBe(url);
    expect((await fetch(change(url))).status).toBe(403);
  });

  test('writes and deletes nothing', async () => {
    const url = await makeLink();
    for (const method of ['PUT', 'POST', 'DELETE']) {
      expect((await fetch(url, { method, ...(method === 'DELETE' ? {} : { body: 'new' }) })).status).toBe(
        403,
      );
    }
    expect(await (await fetch(url)).text()).toBe(TEXT);
  });
});

describe('a link through the edge', () => {
  test('tells the size to whoever asks for the head alone', async () => {
    const response = await fetch(await linkOf(file.id), { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(TEXT.length)]);
  });

  test('leads nowhere once the file is deleted', async () => {
    const { body } = await upload(form('soon gone'));
    const url = await linkOf(body.id);
    expect((await fetch(url)).status).toBe(200);
    await call('DELETE', `/files/${body.id}`, { key });
    expect((await fetch(url)).status).toBe(404);
  });

  test('ends with its file', async () => {
    const body = form('soon over');
    body.append('expires_in_seconds', '40');
    const { id } = (await upload(body)).body;
    const answer = await call('GET', `/files/${id}/content?redirect=false`, { key });
    const { expires_at: end } = (await call('GET', `/files/${id}`, { key })).body;
    const secondsLater = (Date.parse(answer.body.expires_at) - Date.parse(String(end))) / 1000;
    expect(secondsLater).toBeLessThanOrEqual(0);
  });
});

test('no link to what a workspace holds works once its deletion is answered', async () => {
  const { id, key: theirs } = await newWorkspace();
  const file = (await call('POST', '/files', { key: theirs, body: form('theirs') })).body;
  const { url } = (await call('GET', `/files/${file.id}/content?redirect=false`, { key: theirs })).body;
  const download = { key: new URL(url).pathname.slice('/downloads/'.length), shownAs: 'video' } as const;
  const straight = (await toS3(download, new Date())).url;
  for (const each of [url, straight]) expect((await fetch(each)).status).toBe(200);
  await call('DELETE', `/keys/${createHash('sha256').update(theirs).digest('hex')}`, { key: management });
  expect((await call('DELETE', `/workspaces/${id}`, { key: management })).status).toBe(200);
  for (const each of [url, straight]) expect((await fetch(each)).status).toBe(404);
});
