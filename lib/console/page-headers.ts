/** The path of the console on the API's address. */
export const CONSOLE_PATH = '/console';

/**
 * The page may load its own files, call this API, and read the deployment's storage through signed links. `blob:` is
 * data that the page itself has assembled. Text can never become code (Trusted Types).
 *
 * @param storage the origins that signed links point to
 */
export function contentSecurityPolicy(storage: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob:", ...storage].join(' '),
    ['media-src blob:', ...storage].join(' '),
    ["connect-src 'self'", ...storage].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
