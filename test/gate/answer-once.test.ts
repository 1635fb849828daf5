import { expect, test } from '@jest/globals';
import { answerOnce, type Remembered } from '../../functions/gate/answer-once.ts';
import type { AuthenticatedCall } from '../../functions/http/call.ts';
import { json } from '../../functions/http/response.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function callOf(keyHash: string, workspaceId: string, change: Partial<AuthenticatedCall> = {}) {
  const call: AuthenticatedCall = {
    requestId: 'r',
    method: 'POST',
    pattern: '/videos',
    headers: { 'idempotency-key': 'once' },
    path: {},
    query: {},
    publicUrl: 'https://api.example',
    log: silent,
    warnings: [],
    body: Buffer.from('{}'),
    changes: [],
    principal: {
      keyHash,
      kind: 'normal',
      workspaceId,
      creator: keyHash,
      rateLimits: {},
      scope: UNLIMITED,
      endsAt: null,
    },
  };
  return { ...call, ...change };
}

/** How often the operation runs for these calls, which come one after another. */
async function runsOf(...calls: { call: AuthenticatedCall; workspaceId?: string }[]): Promise<number> {
  const rows = new Map<string, Remembered>();
  const replays = {
    find: async (id: string) => rows.get(id),
    insertion: (row: Remembered) => {
      rows.set(row.id, row);
      return {};
    },
  };
  let runs = 0;
  for (const { call, workspaceId } of calls) {
    const operation = async (remember: Parameters<Parameters<typeof answerOnce>[2]>[0]) => {
      const answer = json(202, { run: ++runs });
      remember(answer);
      return answer;
    };
    await answerOnce(call, { replays, now: () => new Date(0) }, operation, workspaceId);
  }
  return runs;
}

const first = { call: callOf('key-1', 'ws-1') };

test.each([
  ['the same key', 1, { call: callOf('key-1', 'ws-1') }],
  ['another key of the workspace', 1, { call: callOf('key-2', 'ws-1') }],
  [
    'a key of another workspace that acts in this one',
    1,
    { call: callOf('key-3', 'ws-2'), workspaceId: 'ws-1' },
  ],
  ['another workspace', 2, { call: callOf('key-3', 'ws-2') }],
  ['the same key that acts in another workspace', 2, { call: callOf('key-1', 'ws-1'), workspaceId: 'ws-2' }],
  ['another route', 2, { call: callOf('key-1', 'ws-1', { pattern: '/workspaces' }) }],
])('an equal request of %s leaves it at %d run(s)', async (_, runs, second) => {
  expect(await runsOf(first, second)).toBe(runs);
});
