import * as v from 'valibot';
import { manners } from '../../functions/videos/providers/manners.ts';
import type {
  ProviderError,
  ProviderState,
  VideoProvider,
} from '../../functions/videos/providers/provider.ts';
import type { vendorApi } from '../../functions/videos/providers/vendor-api.ts';

/** What adapters are made of, as one machine has loaded it. */
export interface AdapterKit {
  readonly ProviderError: typeof ProviderError;
  readonly vendorApi: typeof vendorApi;
}

export const PLAIN_HOST = 'plain-vendors.com';

const created = v.object({ id: v.string() });
const told = v.custom<ProviderState>(v.is.bind(undefined, v.object({ state: v.string() })));
const stopped = v.object({ outcome: v.picklist(['cancelled', 'requested']) });

/** Speaks of work in our own words, so that simulated vendors can say all that any vendor can. */
export function plainAdapter(name: keyof typeof manners, { vendorApi }: AdapterKit): VideoProvider {
  const api = vendorApi({
    base: `https://${name}.${PLAIN_HOST}/v1`,
    errors: ({ code }) => (code === 'moderated' ? code : undefined),
  });
  const submissionOf = ({ id }: v.InferOutput<typeof created>) => ({ ref: { id }, upstreamId: `up-${id}` });
  return {
    name,
    manners: manners[name],
    submit: async ({ id, prompt, callbackUrl }, context) => {
      const json = { prompt, external_task_id: id, callback_url: callbackUrl };
      return submissionOf(await api(context).post('work', { json }, created));
    },
    // Like Kling, which does not know whether a task is still on its way.
    lookup: async (id, context) => {
      const reply = await api(context).send('GET', `work/${id}`);
      return reply.status === 404 ? 'unknown' : submissionOf(api(context).successOf(reply, created));
    },
    poll: ({ id }, context) => api(context).get(`work/${id}`, told),
    cancel: ({ id }, context) =>
      api(context).cancel(['DELETE', `work/${id}`], [409], ({ body }) => v.parse(stopped, body).outcome),
  };
}
