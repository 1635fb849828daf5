import { describe, expect, test } from '@jest/globals';
import { ownOr } from '../../../functions/videos/providers/vendor-api.ts';

describe('an address in a provider’s response', () => {
  const documented = new URL('https://api.example/v1/jobs/1');

  test.each(['https://api.example/v2/elsewhere', 'https://api.example:443/v1/jobs/1?token=2'])(
    'is called if it is the provider’s own: %s',
    (named) => {
      expect(ownOr(documented, named)).toBe(named);
    },
  );

  test.each([
    undefined,
    '',
    '/v1/jobs/1',
    'http://api.example/v1/jobs/1',
    'https://api.example:8443/v1/jobs/1',
    'https://api.example.evil.example/v1/jobs/1',
    'https://api.example@evil.example/v1/jobs/1',
  ])('is not called with our key if it is not: %s', (named) => {
    expect(ownOr(documented, named)).toBe(documented.href);
  });
});
