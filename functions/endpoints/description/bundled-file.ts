import { readFileSync } from 'node:fs';

/** Short, because an upgrade may change the description. */
export const CACHEABLE = { 'cache-control': 'public, max-age=300' };

/** A file that `lib/description/` has put beside the program; `import.meta.url` is the bundle's. */
export const bundledFile = (name: string): Buffer => readFileSync(new URL(`./${name}`, import.meta.url));

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
