import { CACHEABLE } from './bundled-file.ts';

/**
 * What pages may do: load their own files, and call this API. Vector images in styles are `data:`. Nothing from
 * another host, no script or style in the page itself, and no frame around it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  ...CACHEABLE,
};
