/**
 * Hosts that the deployer has opened although they are not public https: `host` for every port of it, or
 * `host:port`. None unless the stage says so.
 */
export type AllowedHosts = ReadonlySet<string>;

/** As the stage's setting reaches a function: separated by commas. */
export function parseAllowedHosts(list: string): AllowedHosts {
  return new Set(list.split(',').filter((host) => host !== ''));
}

export function isAllowedHost(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  allowed: AllowedHosts,
): boolean {
  return allowed.has(host) || allowed.has(hostname);
}
