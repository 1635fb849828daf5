import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { defined } from '../defined.ts';
import { type AllowedHosts, isAllowedHost } from './allowed-hosts.ts';
import { isPublicAddress } from './public-address.ts';
import { EgressRefused } from './url-policy.ts';

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

const notPublic = () => new EgressRefused('does not lead to a public address');
