import * as v from 'valibot';
import type { DemoApi } from '../../local/demo/demo-api.ts';
import { inParallel } from './in-parallel.ts';
import type { Kind } from './kinds.ts';

const AT_ONCE = 16;
const acceptedSchema = v.object({ id: v.string() });

export interface Order {
  readonly api: DemoApi;
  readonly callbackUrl: string;
  /** How long the sandbox takes for each job. */
  readonly latencySeconds: number;
}

/** Submits a job of each kind. @returns the kinds by job id */
export async function submitAll(kinds: readonly Kind[], order: Order): Promise<Map<string, Kind>> {
  const submitted = await inParallel(kinds, AT_ONCE, async (kind): Promise<[string, Kind]> => {
    const sandbox = { latency_s: order.latencySeconds, ...kind.directives };
    const request = {
      model: kind.model,
      prompt: kind.name,
      duration: 1,
      size: '360x360',
      callback_url: order.callbackUrl,
      provider: { options: { sandbox } },
    };
    const { id } = await order.api.post('/videos', request, acceptedSchema);
    return [id, kind];
  });
  return new Map(submitted);
}
