import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import { fieldsOf, viewerEvent } from './cloudfront-event.ts';
import type { OutgoingHeaders } from './headers.ts';

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
