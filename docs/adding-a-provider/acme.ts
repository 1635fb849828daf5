import * as v from 'valibot';
import {
  ended,
  expectSameJob,
  framesOf,
  nonEmpty,
  succeeded,
  vendorApi,
} from '../../functions/videos/providers/kit.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';

const acmeApi = vendorApi({
  base: 'https://api.acme.example/v1',
  errors: ({ code }) => (code === 'unsafe_prompt' ? 'moderated' : undefined),
});

export const acme: VideoProvider = {
  name: 'acme',
  manners: { resubmit: 'none' },

  async submit(job, context) {
    const { first } = framesOf(job);
    const json = {
      ...job.options,
      model: job.upstreamModel,
      prompt: job.prompt,
      seconds: job.durationSeconds,
      size: `${job.width}x${job.height}`,
      image_url: first && (await context.inputs.link(first)),
    };
    const { id } = await acmeApi(context).post('jobs', { json }, createdSchema);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id } = v.parse(createdSchema, ref);
    const job = await acmeApi(context).get(`jobs/${encodeURIComponent(id)}`, jobSchema);
    expectSameJob(id, job.id);
    switch (job.state) {
      case 'waiting':
        return { state: 'queued' };
      case 'ready':
        return succeeded(...job.results);
      case 'broken':
        return ended({ state: 'failed' }, context);
      default:
        return { state: 'running' };
    }
  },
};

const createdSchema = v.object({ id: nonEmpty });
const jobSchema = v.object({
  id: v.string(),
  state: v.string(),
  results: v.fallback(v.array(v.string()), []),
});
