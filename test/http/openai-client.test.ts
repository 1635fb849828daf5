import { describe, expect, test } from '@jest/globals';
import { isOpenaiClient } from '../../functions/http/compatibility.ts';
import {
  InvalidRequest,
  PaymentRequired,
  RateLimited,
  Unauthenticated,
  Unexpected,
} from '../../functions/http/errors.ts';
import { errorResponse } from '../../functions/http/response.ts';

describe("OpenAI's clients", () => {
  test.each([
    ['OpenAI/JS 7.55.0', true],
    ['OpenAI/Python 2.8.1', true],
    ['AsyncOpenAI/Python 2.8.1', true],
    ['litellm/1.110.2', true],
    ['my-litellm/1.0', false],
    [undefined, false],
    ['', false],
    ['openai/1', false],
    ['OpenAI', false],
    ['Mozilla/5.0 OpenAI/1.0', false],
    ['curl/8.5.0', false],
  ])('are recognised by their name: %s', (agent, expected) => {
    expect(isOpenaiClient({ 'user-agent': agent })).toBe(expected);
  });

  test.each([
    {
      error: new InvalidRequest('seconds: no', { metadata: { path: 'seconds' } }),
      type: 'invalid_request_error',
      param: 'seconds',
    },
    { error: new Unauthenticated('no'), type: 'invalid_request_error', param: null },
    { error: new PaymentRequired('no'), type: 'insufficient_quota', param: null },
    { error: new RateLimited('no'), type: 'rate_limit_error', param: null },
    { error: new Unexpected(), type: 'server_error', param: null },
  ])('find their own fields in an error beside ours: $error.status', ({ error, type, param }) => {
    const ours = JSON.parse(errorResponse(error).body);
    expect(JSON.parse(errorResponse(error, true).body)).toEqual({ error: { ...ours.error, type, param } });
    expect(ours.error).not.toHaveProperty('type');
  });
});
