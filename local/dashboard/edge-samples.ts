import type { AnsweredRequest } from '../edge/answered-request.ts';
import type { Sample } from './metric.ts';

/** The metrics that API Gateway would count for a request. The local edge in front of it has seen the request. */
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
