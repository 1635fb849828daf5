import { expect, test } from '@jest/globals';
import { EgressRefused } from '../../../functions/egress/url-policy.ts';
import { failureOf } from '../../../functions/webhooks/delivery/post-event.ts';

const coded = (code: unknown, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });
const behind = (cause: unknown) => new TypeError('fetch failed', { cause });

test.each<[string, unknown, string]>([
  ['our own refusal', new EgressRefused('https'), 'address_refused'],
  ['our own refusal behind others', behind(behind(new EgressRefused('https'))), 'address_refused'],
  ['a deadline', new DOMException('late', 'TimeoutError'), 'timed_out'],
  ['a deadline behind another error', behind(new DOMException('late', 'TimeoutError')), 'timed_out'],
  ['a connection that takes too long', behind(coded('UND_ERR_CONNECT_TIMEOUT')), 'timed_out'],
  ['a certificate that has expired', behind(coded('CERT_HAS_EXPIRED')), 'tls_failed'],
  ['a certificate of its own', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls_failed'],
  ['a problem of TLS behind another code', coded('UND_ERR', coded('EPROTO')), 'tls_failed'],
  ['a problem of TLS behind a number', coded(35, coded('ERR_TLS_CERT_ALTNAME_INVALID')), 'tls_failed'],
  ['a code that only begins like one', coded('EPROTONOSUPPORT'), 'connection_failed'],
  ['a closed connection', behind(coded('ECONNRESET')), 'connection_failed'],
  ['an error of another name', new DOMException('stopped', 'AbortError'), 'connection_failed'],
  ['no error at all', null, 'connection_failed'],
  ['a text', 'TimeoutError', 'connection_failed'],
  ['an error behind nothing', behind(null), 'connection_failed'],
])('%s', (_, error, failure) => {
  expect(failureOf(error)).toBe(failure);
});

test('an error of fetch need not be an Error, nor have a name', () => {
  expect(failureOf({ cause: { code: 'EPROTO' } })).toBe('tls_failed');
});
