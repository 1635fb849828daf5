import { expect, test } from '@jest/globals';
import { makeVideo } from '../../docs/clients/first-video.ts';
import { stage } from './stage.ts';

test('the client in docs/clients makes a video', async () => {
  const request = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, size: '640x360' };
  const job = await makeVideo(stage.baseUrl, stage.apiKey, request);
  expect(job.status).toBe('completed');
  expect(job.unsigned_urls).toHaveLength(1);
});
