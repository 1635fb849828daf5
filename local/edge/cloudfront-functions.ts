import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import type { EdgeAnswer } from './edge-answer.ts';
import type { OutgoingHeaders } from './headers.ts';

/** What the edge function did with a request's head: it responded, or passed it on to a chosen origin or the default one. */
type EdgeFunctionOutcome =
  | { readonly origin: string | undefined; readonly uri: string }
  | { readonly answer: EdgeAnswer };

const requestSchema = v.object({ uri: v.string() });
const answerSchema = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.object({ value: v.string() })),
  body: v.object({ data: v.string() }),
});

/** Runs the program that CloudFront gets, without access to Node.js, because CloudFront has none either. */
export function loadEdgeFunction(program: string): (request: IncomingMessage) => EdgeFunctionOutcome {
  const chosen: { origin: string | undefined } = { origin: undefined };
  const cf = { selectRequestOriginById: (id: string) => Object.assign(chosen, { origin: id }) };
  const context = createContext({ cf, event: undefined });
  new Script(program, { filename: 'edge-function.js' }).runInContext(context);
  const call = new Script('handler(event)');
  return (request) => {
    chosen.origin = undefined;
    context.event = viewerEvent('viewer-request', request);
    const result = v.parse(v.union([answerSchema, requestSchema]), call.runInContext(context));
    return 'uri' in result ? { ...chosen, uri: result.uri } : { answer: toAnswer(result) };
  };
}

function toAnswer({ statusCode, headers, body }: v.InferOutput<typeof answerSchema>): EdgeAnswer {
  const pairs = Object.entries(headers).map(([name, { value }]) => [name, value]);
  return { status: statusCode, headers: Object.fromEntries(pairs), body: body.data };
}

const valueSchema = v.object({ value: v.string() });
const responseSchema = v.object({
  headers: v.record(
    v.string(),
    v.object({ ...valueSchema.entries, multiValue: v.optional(v.array(valueSchema)) }),
  ),
});

/** Runs the program on the head of a response, as CloudFront does. */
export function loadResponseFunction(
  program: string,
): (request: IncomingMessage, status: number, headers: OutgoingHeaders) => OutgoingHeaders {
  const context = createContext({ event: undefined });
  new Script(program, { filename: 'response-function.js' }).runInContext(context);
  const call = new Script('handler(event)');
  return (request, statusCode, headers) => {
    const received = Object.entries(headers).map(([name, values]) => [name, [values].flat()]);
    const response = { statusCode, headers: fieldsOf(Object.fromEntries(received)) };
    context.event = { ...viewerEvent('viewer-response', request), response };
    const answered = v.parse(responseSchema, call.runInContext(context));
    const sent = Object.entries(answered.headers).map(([name, { value, multiValue }]) => [
      name,
      multiValue?.map((each) => each.value) ?? value,
    ]);
    return Object.fromEntries(sent);
  };
}

type Values = Readonly<Record<string, string[] | undefined>>;

/** What CloudFront tells its functions of a request: header names in lower case, and values as they were sent. */
function viewerEvent(eventType: string, { method, url = '/', headersDistinct, socket }: IncomingMessage) {
  const { address: uri, query } = urlParts(url);
  return {
    version: '1.0',
    context: { eventType, requestId: randomUUID() },
    viewer: { ip: socket.remoteAddress ?? '' },
    request: {
      method,
      uri,
      querystring: fieldsOf(queryValues(query)),
      headers: fieldsOf(headersDistinct),
      cookies: {},
    },
  };
}

/** The first of several values comes with a list of all of them. */
const fieldsOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, all = []]) => {
      const several = all.length > 1 ? { multiValue: all.map((value) => ({ value })) } : {};
      return [name, { value: all[0] ?? '', ...several }];
    }),
  );

function queryValues(query: string): Values {
  const pairs = query === '' ? [] : query.split('&');
  const grouped = Map.groupBy(pairs, (pair) => pair.split('=', 1)[0] ?? '');
  return Object.fromEntries(
    [...grouped].map(([name, all]) => [name, all.map((pair) => pair.slice(name.length + 1))]),
  );
}

/** What is before the first question mark, and what is behind it, both as they were sent. */
export function urlParts(url: string): { readonly address: string; readonly query: string } {
  const [, address = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  return { address, query };
}
