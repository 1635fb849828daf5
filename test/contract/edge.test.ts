import { expect, test } from '@jest/globals';
import { errorBody } from '../http/error-bodies.ts';
import { form, stage } from './stage.ts';
import { endedVideo } from './until.ts';

const { emulator, apiId, uploads } = stage.origins;
const api = `${emulator}/_aws/execute-api/${apiId}/api/v1`;
const key = { authorization: `Bearer ${stage.apiKey}` };

test.each([
  ['GET', `${api}/videos`],
  ['GET', `${api}/videos/models`],
  ['GET', `${api}/nothing`],
  ['POST', `${uploads}/api/v1/files`],
])('a request around the edge with %s %s is refused', async (method, url) => {
  const body = method === 'POST' ? form('text') : null;
  for (const secret of [undefined, 'guessed']) {
    const headers = secret === undefined ? key : { ...key, 'x-genway-edge': secret };
    const response = await fetch(url, { method, headers, body });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual(errorBody(403, 'permission_denied', expect.any(String)));
  }
});

test.each([
  ['text/html', '/console', 'text/html'],
  ['*/*', '/api/v1/openapi.json', 'application/json'],
])('who accepts %s is led from the root of the host to %s', async (accept, path, type) => {
  const root = new URL(stage.baseUrl).origin;
  for (const url of [`${root}/`, stage.baseUrl]) {
    const answer = await fetch(url, { headers: { accept } });
    expect([answer.status, answer.url]).toEqual([200, `${root}${path}`]);
    expect(answer.headers.get('content-type')).toContain(type);
    await answer.text();
  }
});

test('no caller can choose the origin of links in webhooks', async () => {
  const headers = {
    ...key,
    'content-type': 'application/json',
    'x-genway-public-url': 'https://evil.example',
    'x-genway-edge': 'guessed',
  };
  const json = JSON.stringify({ model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 });
  const submitted = await fetch(`${stage.baseUrl}/videos`, { method: 'POST', headers, body: json });
  const { id } = JSON.parse(await submitted.text());
  const { body: job } = await endedVideo(id, stage.apiKey);
  expect(job.unsigned_urls).toEqual([`${stage.baseUrl}/videos/${id}/content?index=0`]);
});
