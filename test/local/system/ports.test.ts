import { expect, test } from '@jest/globals';
import { ownHosts } from '../../../local/system/ports.ts';

test.each([
  [8787, ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787']],
  [80, ['127.0.0.1', 'localhost', '[::1]']],
])('a request to port %i names one of %j', (port, hosts) => {
  expect(ownHosts(port)).toEqual(hosts);
});
