import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as v from 'valibot';
import { HEADERS } from '../../functions/openapi/headers.ts';

/** A copy of a schema that allows no additional properties, so that an undescribed field of an answer is an error. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    // An example is data, even if its fields have the names of schema keywords.
    Object.entries(schema).map(([name, value]) => [name, name === 'example' ? value : closeObjects(value)]),
  );
  const isOpen =
    'properties' in closed && closed.type === 'object' && closed.additionalProperties === undefined;
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}

/** A request and its answer, as a client saw them. */
export interface Exchange {
  readonly method: string;
  /** The path below the base address, with its query. */
  readonly path: string;
  readonly requestBody?: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Whether one of OpenAI's clients sent the request. */
  readonly fromOpenai?: boolean;
}

const parameterSchema = v.object({ name: v.string(), in: v.string(), required: v.optional(v.boolean()) });
const contentSchema = v.record(v.string(), v.object({ schema: v.unknown() }));
const answerSchema = v.object({
  $ref: v.optional(v.string()),
  headers: v.optional(v.record(v.string(), v.unknown())),
  content: v.optional(contentSchema),
});
const operationSchema = v.object({
  operationId: v.string(),
  parameters: v.optional(v.array(parameterSchema), []),
  requestBody: v.optional(v.object({ content: contentSchema })),
  responses: v.record(v.string(), answerSchema),
  'x-openai-client': v.optional(v.object({ responses: v.record(v.string(), answerSchema) })),
});
const documentSchema = v.object({
  paths: v.record(v.string(), v.record(v.string(), operationSchema)),
  components: v.object({ responses: v.record(v.string(), answerSchema) }),
});
type Operation = v.InferOutput<typeof operationSchema>;

const escaped = (token: string) => token.replaceAll('~', '~0').replaceAll('/', '~1');
const pointer = (...tokens: readonly string[]) =>
  `#/${tokens.map(escaped).map(encodeURIComponent).join('/')}`;

/** Compares exchanges with a description of the API, like a caller who only knows the description. */
export class ExchangeChecker {
  readonly #document: v.InferOutput<typeof documentSchema>;
  readonly #ajv = formats.default(new Ajv2020({ strict: false, validateSchema: false }));

  constructor(document: object) {
    this.#document = v.parse(documentSchema, document);
    this.#ajv.addSchema(document, 'requests');
    this.#ajv.addSchema(Object(closeObjects(document)), 'answers');
  }

  /** All differences between an exchange and the description. */
  deviations(exchange: Exchange): string[] {
    const { status, method, path } = exchange;
    const [pathname = '', search = ''] = path.split('?', 2);
    const found = this.#find(pathname, method);
    if (found === undefined) {
      return status === 404 || status === 405 || method === 'OPTIONS' ? [] : [`${status} of no operation`];
    }
    const { pattern, verb, operation } = found;
    const answer = operation.responses[status];
    if (answer === undefined) return [`${operation.operationId} has no ${status}`];
    const place = ['paths', pattern, verb];
    const toOpenai = exchange.fromOpenai ? operation['x-openai-client']?.responses[status] : undefined;
    const bodyAt = [
      ...place,
      ...(toOpenai === undefined ? [] : ['x-openai-client']),
      'responses',
      String(status),
    ];
    return [
      ...(method === 'HEAD' ? [] : this.#bodyDeviations(toOpenai ?? answer, bodyAt, exchange)),
      ...this.#headerDeviations(answer, exchange),
      ...(status < 400 ? this.#requestDeviations(operation, place, search, exchange) : []),
    ];
  }

  /** If two paths match, the one with fewer parameters is the right one. */
  #find(pathname: string, method: string) {
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const patterns = Object.keys(this.#document.paths).filter((each) => matches(each, pathname));
    const [pattern] = patterns.sort((a, b) => a.split('{').length - b.split('{').length);
    const operation = pattern === undefined ? undefined : this.#document.paths[pattern]?.[verb];
    return pattern === undefined || operation === undefined ? undefined : { pattern, verb, operation };
  }

  #bodyDeviations(
    answer: v.InferOutput<typeof answerSchema>,
    place: readonly string[],
    { headers, body }: Exchange,
  ): string[] {
    const name = answer.$ref?.split('/').at(-1);
    const { content } = name === undefined ? answer : (this.#document.components.responses[name] ?? answer);
    if (content === undefined) return body === '' ? [] : ['a body where none is described'];
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (content[type] === undefined) return [`a body of ${type}, where ${Object.keys(content)} is described`];
    if (type !== 'application/json') return [];
    const from = name === undefined ? place : ['components', 'responses', name];
    return failures('the answer', this.#at('answers', [...from, 'content', type, 'schema']), body);
  }

  #headerDeviations(answer: v.InferOutput<typeof answerSchema>, { headers }: Exchange): string[] {
    const name = answer.$ref?.split('/').at(-1);
    const described =
      (name === undefined ? answer : this.#document.components.responses[name])?.headers ?? {};
    const sent = Object.keys(HEADERS).filter((each) => headers.has(each));
    return [
      ...(headers.has('x-request-id') ? [] : ['no x-request-id']),
      ...sent
        .filter((each) => described[each] === undefined)
        // `no-store` is the default of every answer, so no answer describes it.
        .filter((each) => each !== 'cache-control' || headers.get(each) !== 'no-store')
        .map((each) => `a header ${each} that is not described`),
    ];
  }

  /** A request that was accepted must match the description. */
  #requestDeviations(
    operation: Operation,
    place: readonly string[],
    search: string,
    { requestBody }: Exchange,
  ): string[] {
    const sent = new URLSearchParams(search);
    const query = [...sent].flatMap(([name, text]) => {
      const index = operation.parameters.findIndex((each) => each.in === 'query' && each.name === name);
      // Operations ignore unknown parameters.
      if (index < 0) return [];
      const validate = this.#at('requests', [...place, 'parameters', String(index), 'schema']);
      // A list is one parameter, repeated.
      if (name.endsWith('[]')) return failures(`the query’s ${name}`, validate, sent.getAll(name));
      return LITERAL.test(text) && validate(JSON.parse(text))
        ? []
        : failures(`the query’s ${name}`, validate, text);
    });
    const schema = operation.requestBody?.content['application/json'];
    if (schema === undefined || requestBody === undefined) return query;
    const validate = this.#at('requests', [...place, 'requestBody', 'content', 'application/json', 'schema']);
    const asSent = failures('the request', validate, requestBody);
    return [
      ...query,
      ...(asSent.length === 0 ? [] : failures('the request', validate, withoutNulls(requestBody))),
    ];
  }

  #at(document: 'answers' | 'requests', place: readonly string[]): ValidateFunction {
    const validate = this.#ajv.getSchema(`${document}${pointer(...place)}`);
    if (validate === undefined) throw new Error(`the description has nothing at ${place.join(' ')}`);
    return validate;
  }
}

/** Query parameters are text, but may be described as numbers or flags. */
const LITERAL = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/;

/** The introduction of the description says it: null in an optional field means that the field is absent. */
function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function matches(pattern: string, pathname: string): boolean {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  );
}

function failures(what: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [what, instancePath, message, JSON.stringify(params)].join(' '),
  );
}
