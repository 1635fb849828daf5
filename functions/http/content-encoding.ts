import type { Headers } from './call.ts';
import { invalidField } from './invalid-field.ts';

/**
 * Bodies must not be compressed: one could unpack to a thousand times its size.
 * @throws InvalidRequest
 */
export function assertNotEncoded({ 'content-encoding': encoding = '' }: Headers): void {
  if (/^(identity)?$/i.test(encoding.trim())) return;
  throw invalidField('content-encoding', 'must not be given: send the body as it is, not compressed');
}
