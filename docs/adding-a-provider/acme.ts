import * as v from 'valibot';
import { authorization } from '../../functions/videos/providers/credential.ts';
import { type ErrorMap, exchange } from '../../functions/videos/providers/http-exchange.ts';
import { endpoint } from '../../functions/videos/providers/own-address.ts';
import { ProviderError, type VideoProvider } from '../../functions/videos/providers/provider.ts';

const BASE = 'https://api.acme.example/v1';

export const acme: VideoProvider = {
  name: 'acme',
  resubmit: 'none',

  async submit(job, context) {
    const first = job.frameImages.find(({ frameType }) => frameType === 'first_frame');
    const json = {
      ...job.options,
      model: job.upstreamModel,
      prompt: job.prompt,
      seconds: job.durationSeconds,
      size: `${job.width}x${job.height}`,
      ...(first === undefined ? {} : { image_url: await context.inputs.link(first.url) }),
    };
    const url = endpoint(context, BASE, 'jobs');
    const request = { method: 'POST' as const, url, headers: authorization(context), json };
    const { id } = await exchange(request, createdSchema, context, errors);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id } = v.parse(createdSchema, ref);
    const url = endpoint(context, BASE, `jobs/${encodeURIComponent(id)}`);
    const job = await exchange({ url, headers: authorization(context) }, jobSchema, context, errors);
    if (job.id !== id) throw new ProviderError('unavailable', 'The provider answered about another job');
    switch (job.state) {
      case 'waiting':
        return { state: 'queued' };
      case 'ready':
        return { state: 'succeeded', outputs: job.results.map((url) => ({ kind: 'url', url })) };
      case 'broken':
        return { state: 'failed', reason: 'The provider could not make the video' };
      default:
        return { state: 'running' };
    }
  },
};

const createdSchema = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const jobSchema = v.object({
  id: v.string(),
  state: v.string(),
  results: v.fallback(v.array(v.string()), []),
});

const errors: ErrorMap = ({ code }) => (code === 'unsafe_prompt' ? 'moderated' : undefined);
