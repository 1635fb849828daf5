import { EgressRefused } from '../../egress/url-policy.ts';
import type { Failure } from './judge-answer.ts';

/** The names that OpenSSL and Node.js give to problems with a certificate or a handshake. */
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|PATH_LENGTH_)/;

/**
 * The class of a failed request. Nothing else of its error is kept: the text may tell about the inside of a network.
 */
export function failureOf(error: unknown): Failure {
  // Judged by its members: an error of `fetch` need not be an `Error` of this realm.
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = causeOf(cause)) {
    if (cause instanceof EgressRefused) return 'address_refused';
    if ('name' in cause && cause.name === 'TimeoutError') return 'timed_out';
    if (!('code' in cause) || typeof cause.code !== 'string') continue;
    if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timed_out';
    if (TLS_CODES.test(cause.code)) return 'tls_failed';
  }
  return 'connection_failed';
}

const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined);
