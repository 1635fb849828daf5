import type { Delivery } from '../../../bin/webhooks/listen.ts';

/** Lists deliveries as the API does: newest first, a few on each page, with the last row's id as the cursor. */
export function listPage(deliveries: readonly Delivery[], url: string | undefined, size = 2) {
  const cursor = new URL(url ?? '', 'http://api').searchParams.get('cursor');
  const start = deliveries.findIndex(({ id }) => id === cursor) + 1;
  const data = deliveries.slice(start, start + size);
  const hasMore = start + size < deliveries.length;
  return { status: 200, body: { data, has_more: hasMore, cursor: hasMore ? data.at(-1)?.id : null } };
}

export const aDelivery = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  id,
  type: 'video.generation.completed',
  body: JSON.stringify({ type: 'video.generation.completed', data: { id: `vid_${id}`, text: 'é🦊' } }),
  status: 'pending',
  attempts: 0,
  history: [],
  created_at: '2026-11-21T09:43:02.114Z',
  ...changes,
});
