import { CACHEABLE } from './bundled-file.ts';

/**
 * Pages may load their own files and call this API. Images in styles may be `data:`. Nothing may come from another
 * host, no script or style may be in the page itself, and no frame may surround it.
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
