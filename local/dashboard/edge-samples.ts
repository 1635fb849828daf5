import type { AnsweredRequest } from '../edge/answered-request.ts';
import type { Sample } from './metric.ts';

/** What API Gateway would count of a request, as the edge in front of it saw it. */
export function samplesOfRequest(
  { path, status, milliseconds }: AnsweredRequest,
  api: string,
  at: number,
): Sample[] {
  if (!path.startsWith('/api/') || status === undefined) return [];
  const metric = { namespace: 'AWS/ApiGateway', dimensions: { ApiName: api }, at };
  return [
    { ...metric, name: 'Latency', value: milliseconds },
    { ...metric, name: '5XXError', value: status >= 500 ? 1 : 0 },
  ];
}
