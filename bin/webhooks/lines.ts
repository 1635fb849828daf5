import { type Style, visible } from '../../local/terminal/text.ts';
import type { Delivery } from './delivery-log.ts';
import type { Forwarded } from './forward.ts';

const LOOKS: Readonly<Record<string, Parameters<Style>[0]>> = {
  delivered: 'green',
  failed: 'red',
  pending: 'yellow',
};

/** `09:43:02  video.generation.completed  msg_…  pending after 5xx, timed_out` */
export function deliveryLine({ created_at, type, id, status, history }: Delivery, style: Style): string {
  const time = visible(created_at.slice('2026-01-01T'.length, '2026-01-01T00:00:00'.length));
  const outcomes = history.map(({ outcome }) => outcome).join(', ');
  const after = outcomes === '' ? '' : visible(` after ${outcomes}`);
  return `${style('dim', time)}  ${visible(`${type}  ${id}`)}  ${style(LOOKS[status] ?? 'dim', visible(status))}${after}`;
}

/** `          → 204 http://localhost:3000/hook` */
export function forwardLine(url: string, forwarded: Forwarded, style: Style): string {
  if ('failure' in forwarded)
    return `          → ${style('red', forwarded.failure.replace('_', ' '))} ${url}`;
  const { status } = forwarded;
  const isTaken = status >= 200 && status < 300;
  return `          → ${style(isTaken ? 'green' : 'red', String(status))} ${url}`;
}
