import * as v from 'valibot';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import type { FunctionName } from './bundle.ts';
import { type Cloud, InvocationFailed } from './cloud.ts';
import type { Violate } from './watched-rows.ts';
import type { Weather } from './weather.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Asking {
  readonly key: string;
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
const errorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });

/** API Gateway's answer if a function gives none. */
const OF_GATEWAY = 502;

/** The statuses of each route, beside those that every route may have. */
const STATUSES: Partial<Record<RouteId, readonly number[]>> = {
  'submit-video': [202, 402, 404],
  'get-video': [200, 404],
  'list-videos': [200],
  'cancel-video': [200, 202, 404, 409],
  'delete-video': [200, 404, 409],
  'get-video-content': [302, 404, 409, 410],
  'redeliver-video-webhook': [200, 202, 404, 409],
  'recover-webhook-deliveries': [200, 202, 404],
  'put-workspace-webhook': [200, 404],
  'rotate-webhook-secret': [200, 404, 409],
  'put-budget': [200, 404],
  'grant-credits': [200],
  'update-key': [200, 404],
  'upload-file': [200, 403],
  'list-files': [200, 403],
  'get-file': [200, 403, 404],
  'get-file-content': [302, 403, 404],
  'delete-file': [200, 403, 404],
  'delete-workspace': [200, 404],
  'create-provider-key': [201],
  'update-provider-key': [200, 404],
  'delete-provider-key': [200, 404],
  'update-guardrail': [200, 404],
};
const ANYWHERE = [400, 401, 409, 429, 500, 503, OF_GATEWAY];

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

  async ask(route: RouteId & FunctionName, asking: Asking): Promise<Answer> {
    const { method, path } = routes[route];
    const json = asking.body === undefined ? null : JSON.stringify(asking.body);
    const event = {
      httpMethod: method,
      resource: `/v1${path}`,
      headers: {
        authorization: `Bearer ${asking.key}`,
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
    const expected = STATUSES[route];
    if (expected !== undefined && ![...expected, ...ANYWHERE].includes(status)) {
      this.#violate('I8', `${route} answers ${status}: ${body}`);
    }
    if (status < 400 || status === OF_GATEWAY) return;
    if (!v.is(errorSchema, JSON.parse(body))) this.#violate('I8', `${route} has another error body: ${body}`);
    if (status >= 500 && /dynamo|table|amazon|stack/i.test(body))
      this.#violate('I8', `${route} reveals internals: ${body}`);
  }
}
