import { onUnknownField, type RequestHead } from '../http/call.ts';
import { isOpenaiClient } from '../http/compatibility.ts';
import { invalidField } from '../http/errors.ts';
import { STRICT_HEADER } from '../http/headers.ts';
import { unknownNames } from '../http/unknown-names.ts';

/** What a stage does with unknown names. */
export interface Strictness {
  readonly isOn: boolean;
  /** Those that the operation knows. */
  readonly queryParameters: readonly string[];
}

/**
 * Decides for one request, in the header that its operation reads, and refuses unknown query parameters before anything
 * is spent. A vendor's own client sends what its vendor knows, so only the header makes that one strict.
 * @throws InvalidRequest
 */
export function withStrictness<Head extends RequestHead>(
  head: Head,
  { isOn, queryParameters }: Strictness,
): Head {
  const { [STRICT_HEADER]: asked, 'anthropic-version': anthropic } = head.headers;
  if (asked !== undefined && !/^(true|false)$/i.test(asked))
    throw invalidField(STRICT_HEADER, 'must be true or false');
  const isVendors = isOpenaiClient(head.headers) || anthropic !== undefined;
  const headers = { ...head.headers, [STRICT_HEADER]: asked ?? String(isOn && !isVendors) };
  const tell = unknownNames('query parameter', onUnknownField({ headers, warnings: [] }));
  const unknown = Object.keys(head.query).filter((name) => !queryParameters.includes(name));
  for (const name of unknown) tell(name, queryParameters);
  return { ...head, headers };
}
