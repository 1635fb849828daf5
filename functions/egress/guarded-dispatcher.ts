import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { defined } from '../defined.ts';
import type { EgressOptions } from './egress-fetch.ts';
import { type AllowedHosts, EgressRefused, isAllowedHost } from './url-policy.ts';

/** Node.js types its `fetch` by a copy of undici's declarations, which TypeScript cannot unify with undici's own. */
export type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

/** Connects `fetch` to what may be called, and to nothing else. */
export function guardedDispatcher(options: EgressOptions): FetchDispatcher {
  const silenceMilliseconds = options.silenceMilliseconds ?? options.deadlineMilliseconds;
  return new Agent({
    connect: guardedConnector({
      allowed: options.allowed,
      resolve: options.resolve ?? systemResolve,
      connectMilliseconds: options.connectMilliseconds ?? 5_000,
      ...defined({ ca: options.ca }),
    }),
    pipelining: 0,
    headersTimeout: silenceMilliseconds,
    bodyTimeout: silenceMilliseconds,
  }) as unknown as FetchDispatcher;
}

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardedConnectorOptions {
  readonly allowed: AllowedHosts;
  readonly resolve: Resolve;
  readonly connectMilliseconds: number;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string;
}

export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * The second of two layers: it checks the addresses of a name when the connection is made. All addresses from the
 * resolver must be public, the connection goes to one of just these, and its other end is checked once more. IP
 * literals are checked here too, because Node.js connects to them without a look-up.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const trusted = defined({ ca: options.ca });
  const limits = { timeout: options.connectMilliseconds, ...trusted };
  const connectVetted = buildConnector({ ...limits, lookup: vettedLookup(options.resolve) });
  const connectAllowed = buildConnector(limits);
  return (target, callback) => {
    const { hostname, port } = target;
    const name = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
    const asNamed = { host: `${name}:${port}`, hostname: name };
    if (isAllowedHost(asNamed, options.allowed)) return connectAllowed(target, callback);
    if (isIP(hostname) !== 0) return callback(notPublic(), null);
    connectVetted(target, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(notPublic(), null);
    });
  };
}

function vettedLookup(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          return callback(notPublic(), '');
        }
        if (all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

const notPublic = () => new EgressRefused('must have a host that resolves only to public IP addresses');

/** IANA's special-purpose IPv4 blocks, and Azure's host address, which looks public. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within the global unicast block: protocol assignments, documentation, 6to4. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const specialPurpose = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) specialPurpose.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) specialPurpose.addSubnet(network, prefix, 'ipv6');

/** Everything else in IPv6 is local, mapped, translated or not assigned. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether anybody on the internet may reach an IP address, written as resolvers and sockets write it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialPurpose.check(address, 'ipv4');
  return family === 6 && globalUnicast.check(address, 'ipv6') && !specialPurpose.check(address, 'ipv6');
}
