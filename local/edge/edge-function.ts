import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import { viewerEvent } from './cloudfront-event.ts';
import type { EdgeAnswer } from './edge-error.ts';

/** What the edge function did with a request's head: it responded, or passed it on to a chosen origin or the default one. */
export type EdgeFunctionOutcome =
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
