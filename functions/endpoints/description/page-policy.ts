import { CACHEABLE } from './bundled-file.ts';

/**
 * Pages may load their own files, and nothing else: no script or style may be in the page itself, and no frame may
 * surround it. In the sandbox a page has an origin of its own, so it can read nothing of the console's.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts',
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  ...CACHEABLE,
};
