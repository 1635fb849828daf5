import { expect, test } from '@jest/globals';
import { adapterNames } from '../../../functions/videos/providers/dialects.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';

/** Bedrock takes a token with each submit, and Kling finds a job by its caller's id. */
const RECOGNISED: Readonly<Record<string, string>> = { sandbox: 'token', bedrock: 'token', kling: 'lookup' };

test.each(adapterNames)('a submit to %s is sent again only if it is recognised there', (name) => {
  expect(providerOf(name).resubmit).toBe(RECOGNISED[name] ?? 'none');
});
