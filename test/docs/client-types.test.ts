import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Video, VideoRequest } from '../../docs/clients/first-video.ts';
import type { paths } from '../../docs/clients/genway.d.ts';
import { openApiSurface } from '../../functions/openapi/text.ts';

test('the types in docs/clients are those of the description; `npm run openapi:types` writes them', () => {
  const digest = createHash('sha256').update(JSON.stringify(openApiSurface())).digest('hex');
  const [first] = readFileSync('docs/clients/genway.d.ts', 'utf8').split('\n');
  expect(first).toContain(digest);
});

test('the types describe what a request needs, and what a response contains', () => {
  const request: VideoRequest = { model: 'sandbox/clip-1', prompt: 'A fox' };
  expect(request).toBeDefined();
  // @ts-expect-error: a prompt is required
  const wordless: VideoRequest = { model: 'sandbox/clip-1' };
  expect(wordless).toBeDefined();
  // @ts-expect-error: no such status
  const status: Video['status'] = 'done';
  expect(status).toBeDefined();
  // @ts-expect-error: a job is accepted with 202
  type Accepted = paths['/videos']['post']['responses'][200];
  const accepted: Accepted | undefined = undefined;
  expect(accepted).toBeUndefined();
});
