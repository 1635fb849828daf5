import { isIP } from 'node:net';

/** We do not send to this address. The message may be shown to whoever named it. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

const LONGEST_URL = 2048;
/** What DNS can ask for (RFC 1035 §2.3.4). */
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;
const PORTS = ['', '8443'];
/** Names that never lead to the public internet (RFC 6761, RFC 7686, RFC 8375, and habit). */
const LOCAL_NAMES = /(^|\.)(local|localhost|internal|test|invalid|example|onion|home\.arpa|lan|intranet)$/;

/**
 * The first of two layers: it checks the text of a URL. The addresses of its name are checked when the connection is
 * made. It reads the parsed URL, in which every spelling of an IP address has become the usual one.
 * @throws EgressRefused
 */
export function checkUrl(text: string, allowed: AllowedHosts): URL {
  if (text.length > LONGEST_URL) throw new EgressRefused(`must be at most ${LONGEST_URL} characters`);
  const url = URL.parse(text);
  if (url === null) throw new EgressRefused('must be a valid URL');
  // So it is kept and sent: what passes once must pass again.
  if (url.href.length > LONGEST_URL)
    throw new EgressRefused(`must be at most ${LONGEST_URL} characters when escaped`);
  if (url.username !== '' || url.password !== '') throw new EgressRefused('must not contain credentials');
  if (url.hash !== '') throw new EgressRefused('must not have a fragment');
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && isAllowedHost(url, allowed)) return url;
  if (url.protocol !== 'https:') throw new EgressRefused('must be an https URL');
  if (!PORTS.includes(url.port)) throw new EgressRefused('must use port 443 or 8443');
  checkHost(url.hostname);
  return url;
}

function checkHost(hostname: string): void {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new EgressRefused('must have a host name, not an IP address');
  }
  const labels = hostname.split('.');
  const isName = labels.length > 1 && labels.every((label) => label !== '' && label.length <= LONGEST_LABEL);
  if (!isName || hostname.length > LONGEST_NAME || LOCAL_NAMES.test(hostname))
    throw new EgressRefused('must have a public host name');
}

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
