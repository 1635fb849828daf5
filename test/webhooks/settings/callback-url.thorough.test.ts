import { isIP } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from '../../../functions/http/errors.ts';
import { checkedCallbackUrl } from '../../../functions/webhooks/settings/callback-url.ts';
import { mutatedBytes } from '../../any-bytes.ts';

const SEEDS = [
  'https://hooks.genway.dev/a?b=c',
  'https://hooks.genway.dev:8443/%41/../x',
  'https://xn--bcher-kva.genway.dev/é?é',
  'HTTPS:\\\\hooks.genway.dev\\a',
  'https://hooks.genway.dev.:443/',
  'https://user:pass@hooks.genway.dev/#a',
  'https://[::ffff:127.0.0.1]/',
  'http://127.1/',
].map((text) => Buffer.from(text));

const TOKENS = [
  ...[
    'https://',
    'http://',
    'HTTPS:',
    '//',
    '\\\\',
    '@',
    ':',
    ':443',
    ':8443',
    ':80',
    '/',
    '?',
    '#',
    '%',
    '%2e',
  ],
  ...[
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    'localhost',
    '.local',
  ],
  ...[
    '.internal',
    '\xe3\x80\x82',
    '\xef\xbc\x8e',
    '\xe2\x91\xa0',
    '\xc2\xad',
    'xn--',
    '\t',
    '\n',
    ' ',
    '.',
    '..',
  ],
  ...[
    '\xc3\xa9',
    '\xf0\x9f\x98\x80',
    '\0',
    '.example',
    'home.arpa',
    'a.test',
    'user:pass@',
    'file:',
    'data:',
  ],
];

const NO_HOSTS: ReadonlySet<string> = new Set();
const check = (url: string) => checkedCallbackUrl(url, 'callback_url', NO_HOSTS);

/** Its host once had an empty label, and was accepted. */
const FOUND = Buffer.from('https:.d');

test('any address is refused with the name of the field, or leads to a public host and is kept as it is', () => {
  fc.assert(
    fc.property(mutatedBytes(SEEDS, TOKENS), (bytes) => {
      let kept: string;
      try {
        kept = check(bytes.toString());
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error;
        expect(error.message).toMatch(/^callback_url: must /);
        return;
      }
      expect(check(kept)).toBe(kept);
      expect(kept).toMatch(/^https:\/\/[^/?#@[\]\\\s]+(:8443)?\/[\x21-\x7e]*$/);
      const { hostname } = new URL(kept);
      expect(isIP(hostname)).toBe(0);
      expect(hostname).toMatch(/[^.]\.[^.]*[^.\d][^.]*$/);
    }),
    { numRuns: 10_000, examples: [[FOUND]] },
  );
});
