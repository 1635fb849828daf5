import { expect, test } from '@jest/globals';
import { publicUrl } from '../../functions/http/public-url.ts';

test.each(['https://api.example.com', 'http://127.0.0.1:8787'])('the edge’s %s is taken', (url) => {
  expect(publicUrl(url, 'gateway')).toBe(url);
});

test.each([undefined, '', 'javascript:alert(1)', 'https://a/b', 'https://a?b', 'https://u@a', 'https://a\n'])(
  'instead of %j the gateway’s own name is',
  (url) => {
    expect(publicUrl(url, 'abc.execute-api.eu-west-1.amazonaws.com')).toBe(
      'https://abc.execute-api.eu-west-1.amazonaws.com',
    );
  },
);
