import type { Headers } from './call.ts';

/** Names of headers, with commas between. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(, *[\w!#$%&'*+.^`|~-]+)*$/;
const LONGEST_NAMES = 2000;

/** Browsers ask about every header that a page's client adds; `*` would not include Authorization. */
export function preflightHeaders({ 'access-control-request-headers': asked = '' }: Headers) {
  const others = asked.length <= LONGEST_NAMES && HEADER_NAMES.test(asked) ? asked : '*';
  return {
    'access-control-allow-headers': `authorization, ${others}`,
    'access-control-max-age': '86400',
  };
}
