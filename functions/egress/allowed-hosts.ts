/**
 * Hosts that the deployer has opened although they are not public https: `host` for all its ports, or `host:port`. None
 * unless the stage says so.
 */
export type AllowedHosts = ReadonlySet<string>;

/** Parses the stage's setting, as functions get it: separated by commas. */
export function parseAllowedHosts(list: string): AllowedHosts {
  return new Set(list.split(',').filter((host) => host !== ''));
}

export function isAllowedHost(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  allowed: AllowedHosts,
): boolean {
  return allowed.has(host) || allowed.has(hostname);
}
