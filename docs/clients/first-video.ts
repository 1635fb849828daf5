import createClient from 'openapi-fetch';
import type { components, paths } from './genway.d.ts';

export type VideoRequest = components['schemas']['VideoRequest'];
export type Video = components['schemas']['Video'];

/** Submits a video and polls until the job has ended. Every path, field and status is known to the compiler. */
export async function makeVideo(baseUrl: string, key: string, body: VideoRequest): Promise<Video> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const submitted = await client.POST('/videos', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body,
  });
  if (submitted.error !== undefined) throw new Error(submitted.error.error.message);
  const path = { video: submitted.data.id };
  for (;;) {
    const { data: job, error, response } = await client.GET('/videos/{video}', { params: { path } });
    if (error !== undefined) throw new Error(error.error.message);
    if (job.status !== 'pending' && job.status !== 'in_progress') return job;
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((passed) => setTimeout(passed, seconds * 1000));
  }
}
