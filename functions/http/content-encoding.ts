import type { Headers } from './call.ts';
import { invalidField } from './invalid-field.ts';

/** A body comes as it is: what unpacks one could be made to unpack a thousand times as much. @throws InvalidRequest */
export function assertNotEncoded({ 'content-encoding': encoding = '' }: Headers): void {
  if (/^(identity)?$/i.test(encoding.trim())) return;
  throw invalidField('content-encoding', 'must not be given: send the body as it is, not compressed');
}
