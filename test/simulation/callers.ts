import * as v from 'valibot';
import { operations, type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { refusalsOf } from '../../functions/openapi/refusals.ts';
import { formOf } from '../histories/check-history.ts';
import { type Cloud, InvocationFailed } from './cloud.ts';
import type { Violate } from './scene.ts';
import type { Weather } from './weather.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Asking {
  /** @default none, for who needs none */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A form in place of a body in JSON. */
  readonly form?: string;
  readonly idempotencyKey?: string;
}

/** Between the parts of forms. */
export const BOUNDARY = 'simulated';

const resultSchema = v.object({ statusCode: v.number(), body: v.string() });

/** API Gateway's answer if a function gives none. */
export const OF_GATEWAY = 502;

const described = operations();

/** What the description of the API says that a route answers. Nothing is forbidden to the management key. */
function mayAnswer(route: RouteId, status: number): boolean {
  const refusals = refusalsOf(routes[route], described[route]);
  if (status === 403 && routes[route].access === 'management') return false;
  return status in described[route].answers || refusals.some((each) => each === status);
}

/**
 * Sends requests like API Gateway. Each must end, with a status that its route may have, and with 500 only when a service
 * around it fails (I8).
 */
export class Gateway {
  readonly #cloud: Cloud;
  readonly #weather: Pick<Weather, 'isBad'>;
  readonly #violate: Violate;
  #requests = 0;

  constructor(cloud: Cloud, weather: Pick<Weather, 'isBad'>, violate: Violate) {
    this.#cloud = cloud;
    this.#weather = weather;
    this.#violate = violate;
  }

  async ask(route: RouteId, asking: Asking): Promise<Answer> {
    const { method, path } = routes[route];
    const json = asking.body === undefined ? null : JSON.stringify(asking.body);
    const event = {
      httpMethod: method,
      resource: `/v1${path}`,
      headers: {
        ...asking.headers,
        ...(asking.key === undefined ? {} : { authorization: `Bearer ${asking.key}` }),
        'content-type':
          asking.form === undefined ? 'application/json' : `multipart/form-data; boundary=${BOUNDARY}`,
        ...(asking.idempotencyKey === undefined ? {} : { 'idempotency-key': asking.idempotencyKey }),
      },
      pathParameters: asking.path ?? null,
      queryStringParameters: asking.query ?? null,
      body: asking.form ?? json,
      isBase64Encoded: false,
      requestContext: { requestId: `request-${this.#requests++}`, domainName: 'api.genway.dev' },
    };
    const wasBad = this.#weather.isBad;
    const result = await this.#cloud.invoke(route, event).catch((error: unknown) => {
      if (error instanceof InvocationFailed) return { statusCode: OF_GATEWAY, body: '{}' };
      throw error;
    });
    const { statusCode: status, body } = v.parse(resultSchema, result);
    if (status === 500 && !wasBad && !this.#weather.isBad)
      this.#violate('I8', `${route} fails while nothing around it does`);
    this.#judge(route, status, body);
    return { status, body: body === '' ? undefined : JSON.parse(body) };
  }

  #judge(route: RouteId, status: number, body: string): void {
    if (status !== OF_GATEWAY && !mayAnswer(route, status))
      this.#violate('I8', `${route} answers ${status}: ${body}`);
    if (status === OF_GATEWAY) return;
    for (const what of formOf({ status, body: JSON.parse(body || '{}') }))
      this.#violate('I8', `${route}: ${what}`);
  }
}
