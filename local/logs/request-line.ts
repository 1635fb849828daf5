import type { AnsweredRequest } from '../edge/answered-request.ts';
import type { Style } from '../terminal/style.ts';
import { visible } from '../terminal/visible.ts';

const ENDPOINT_COLUMNS = 40;

/** A line for people: method, path, status, milliseconds, and the name of the key. */
export function requestLine(request: AnsweredRequest, key: string, style: Style): string {
  const { method, path, status, milliseconds } = request;
  return [
    style('cyan', visible(`${method} ${path}`).padEnd(ENDPOINT_COLUMNS)),
    style(colourOf(status), String(status ?? 'left')),
    style('dim', `${Math.round(milliseconds)} ms`.padStart(8)),
    style('dim', visible(key)),
  ].join(' ');
}

function colourOf(status = 499): Parameters<Style>[0] {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}
