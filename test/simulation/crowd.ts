import { seededRandom } from '../engines/index.ts';
import { cancel, list, submit } from './clients.ts';
import type { History, TimedCommand } from './history.ts';

/** What takes long for the jobs of a crowd: a request to its provider, its results, or its receiver. */
export const SLOWNESS = ['submits', 'polls', 'results', 'deliveries'] as const;
export type Slowness = (typeof SLOWNESS)[number];

/** The places of a tenant whose vendor or receiver is slow, and of one whose vendor and receiver are well. */
export const CROWDED = 0;
export const ALONE = 1;
/** Where the crowd's jobs go, and nobody else's. */
export const CROWDED_PROVIDER = 'sandbox';
export const CROWDED_HOST = 'hooks.one.com';

const SHARE = 0.02;
/** Five times the workers of a kind (`cloud.ts`). */
const CROWD = 24;
const OTHERS = 10;
/** What is slow stays slow until most videos are made. */
const LONGEST_VIDEO = 200_000;

/** A few histories, in which nothing fails and one tenant has many slow jobs, show how long another tenant waits. */
export function crowdOf(seed: number): History | undefined {
  const random = seededRandom(seed ^ 0xc40d);
  if (random() >= SHARE) return undefined;
  const slow = SLOWNESS[Math.floor(random() * SLOWNESS.length)] ?? 'submits';
  const crowd = Array.from({ length: CROWD }, (): TimedCommand => {
    const job = { model: 'sandbox/clip-1', idempotent: false, host: CROWDED_HOST } as const;
    return { after: Math.floor(600 * random()), ...submit.of({ place: CROWDED, ...job }) };
  });
  const others = Array.from({ length: OTHERS }, (_, i): TimedCommand[] => {
    const after = Math.floor(random() * (slow === 'results' ? 40_000 : 8_000));
    const job = { model: 'bytedance/seedance-1.5-pro', idempotent: false, host: 'hooks.two.com' } as const;
    const ordered = { after, ...submit.of({ place: ALONE, ...job }) };
    return slow === 'deliveries' ? [ordered, cancelled(CROWD + i)] : [ordered];
  });
  const ends = slow === 'deliveries' ? Array.from({ length: CROWD }, (_, i) => cancelled(i)) : [];
  const last = { after: LONGEST_VIDEO, ...list.of({ place: ALONE }) };
  return { seed, slow, commands: [...crowd, ...ends, ...others.flat(), last] };
}

/** Without it jobs would end one after the other, and no deliverer would be asked for twice at once. */
const cancelled = (at: number): TimedCommand => ({ after: 200, ...cancel.of({ at }) });
