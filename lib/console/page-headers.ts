/** Where the console is, on the address of the API. */
export const CONSOLE_PATH = '/console';

/**
 * What the page may do: load its own files, call this API, and read what signed links to the deployment's own storage
 * lead to. `blob:` is what the page itself has put together. No code is ever made of text (Trusted Types).
 *
 * @param storage the origins that signed links lead to
 */
export function contentSecurityPolicy(storage: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    ['media-src blob:', ...storage].join(' '),
    ["connect-src 'self'", ...storage].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
