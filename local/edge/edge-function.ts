import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import type { EdgeAnswer } from './edge-error.ts';

/** What the edge function did with the head of a request: answered, or let it pass, to an origin of its choice or the default. */
export type EdgeFunctionOutcome =
  | { readonly origin: string | undefined; readonly uri: string }
  | { readonly answer: EdgeAnswer };

const requestSchema = v.object({ uri: v.string() });
const answerSchema = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.object({ value: v.string() })),
  body: v.object({ data: v.string() }),
});

/** Executes the program that CloudFront gets, with nothing of Node.js in its reach, as there is nothing there either. */
export function loadEdgeFunction(program: string): (request: IncomingMessage) => EdgeFunctionOutcome {
  const chosen: { origin: string | undefined } = { origin: undefined };
  const cf = { selectRequestOriginById: (id: string) => Object.assign(chosen, { origin: id }) };
  const context = createContext({ cf, event: undefined });
  new Script(program, { filename: 'edge-function.js' }).runInContext(context);
  const call = new Script('handler(event)');
  return (request) => {
    chosen.origin = undefined;
    context.event = toEvent(request);
    const result = v.parse(v.union([answerSchema, requestSchema]), call.runInContext(context));
    return 'uri' in result ? { ...chosen, uri: result.uri } : { answer: toAnswer(result) };
  };
}

/** CloudFront's event: header names in lower case, several values of one name beside the first of them. */
function toEvent({ method, url = '/', headersDistinct, socket }: IncomingMessage) {
  const [uri, querystring = ''] = url.split('?', 2);
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => {
    const several = values.length > 1 ? { multiValue: values.map((value) => ({ value })) } : {};
    return [name, { value: values[0] ?? '', ...several }];
  });
  return {
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: randomUUID() },
    viewer: { ip: socket.remoteAddress ?? '' },
    request: { method, uri, querystring, headers: Object.fromEntries(headers), cookies: {} },
  };
}

function toAnswer({ statusCode, headers, body }: v.InferOutput<typeof answerSchema>): EdgeAnswer {
  const pairs = Object.entries(headers).map(([name, { value }]) => [name, value]);
  return { status: statusCode, headers: Object.fromEntries(pairs), body: body.data };
}
