import type { Call } from '../../http/call.ts';
import { assertNotEncoded } from '../../http/content-encoding.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { isOpenaiClient } from '../../http/openai-client.ts';
import { isForm, jsonOfForm } from './form-body.ts';

/** Only clients of that API send a form; ours takes JSON alone. */
export const isOpenaiSubmit = ({ headers }: Pick<Call, 'headers'>): boolean =>
  isOpenaiClient(headers) || isForm(headers['content-type']);

/**
 * The same submit with a body of JSON.
 * @param limit of a form, in bytes
 * @throws InvalidRequest
 */
export function withJsonBody<Submit extends Call>(call: Submit, limit: number): Submit {
  const { headers, body } = call;
  const contentType = headers['content-type'];
  if (!isForm(contentType)) return call;
  assertNotEncoded(headers);
  if (body.byteLength > limit) throw new InvalidRequest(`The body must be at most ${limit} bytes`);
  return {
    ...call,
    headers: { ...headers, 'content-type': 'application/json' },
    body: jsonOfForm(body, contentType),
  };
}
