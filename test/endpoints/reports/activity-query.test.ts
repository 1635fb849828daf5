import { expect, test } from '@jest/globals';
import { activityQuery, isAskedFor, isOfUsers } from '../../../functions/endpoints/reports/activity-query.ts';
import { query } from '../../../functions/http/call.ts';

const WORKSPACE = '5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01';
const KEY = 'a'.repeat(64);
const row = { workspace_id: WORKSPACE, key_hash: KEY, user: 'u' };
const asked = (sent: Record<string, string>) => query({ query: sent }, activityQuery);

test.each([
  [{}, true],
  [{ workspace_id: WORKSPACE.toUpperCase(), api_key_hash: KEY, user_id: 'u' }, true],
  [{ workspace_id: WORKSPACE.replace('5', '6') }, false],
  [{ api_key_hash: 'b'.repeat(64) }, false],
  [{ user_id: 'v' }, false],
])('a report with %j has the jobs of a workspace, a key and a user: %j', (sent, isAsked) => {
  expect(isAskedFor(row, asked(sent))).toBe(isAsked);
});

test.each([
  [{}, false],
  [{ group_by: 'key' }, false],
  [{ group_by: 'user' }, true],
  [{ user_id: 'u' }, true],
])('a report with %j reads the jobs that name a user apart: %j', (sent, isApart) => {
  expect(isOfUsers(asked(sent))).toBe(isApart);
});

test.each([{ workspace_id: 'default' }, { api_key_hash: 'x' }, { date: 'today' }])(
  '%j is refused',
  (sent) => {
    expect(() => asked(sent)).toThrow(expect.objectContaining({ status: 400 }));
  },
);
