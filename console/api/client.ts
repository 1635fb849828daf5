import createClient, { type Client } from 'openapi-fetch';
import { failureOf } from './failure.ts';
import type { paths } from './types.ts';

export const API_PATH = '/api/v1';
export type Api = Client<paths>;

/**
 * The public API, as any client calls it. Redirects are never followed: the page asks where things are instead.
 *
 * @param ended ends what is still under way
 */
export function openApi(key: string, ended: AbortSignal | null = null): Api {
  return createClient<paths>({
    baseUrl: API_PATH,
    headers: { authorization: `Bearer ${key}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: ended,
  });
}

interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** What was asked for. @throws ApiFailure */
export async function answered<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw failureOf(response.status, error, response.headers.get('x-request-id') ?? undefined);
}
