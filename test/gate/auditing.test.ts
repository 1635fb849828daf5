import { expect, test } from '@jest/globals';
import type { AuditEntry } from '../../functions/audit/audit-entry.ts';
import type { Outcome } from '../../functions/audit/audit-trail.ts';
import { type RecordedCall, recorded } from '../../functions/gate/auditing.ts';
import { NotFound } from '../../functions/http/errors.ts';
import { json } from '../../functions/http/response.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';

async function recordedChange(
  operate: () => Promise<never> | Promise<ReturnType<typeof json>>,
  failing?: 'begin' | 'end',
  change: Partial<RecordedCall> = {},
) {
  const steps: unknown[] = [];
  const logged: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (text: string) => void steps.push(text),
  };
  const call: RecordedCall = {
    requestId: 'r1',
    method: 'PATCH',
    pattern: '/keys/{hash}',
    headers: {},
    path: { hash: 'h1', other: undefined },
    query: {},
    publicUrl: 'https://api.example',
    log,
    warnings: [],
    body: Buffer.from('{"name":"secret plans"}'),
    changes: [{ field: 'disabled', from: 'false', to: 'true' }],
    principal: {
      keyHash: 'k1',
      kind: 'management',
      workspaceId: 'w',
      creator: 'k1',
      rateLimits: {},
      scope: UNLIMITED,
      endsAt: null,
    },
    ...change,
  };
  const step = async (name: 'begin' | 'end', told: unknown) => {
    steps.push(told);
    if (name === failing) throw new Error('no table');
  };
  const trail = {
    begin: async (entry: AuditEntry, name: string) => {
      await step('begin', entry);
      return `place ${name}`;
    },
    end: (place: string, { status, changes }: Outcome) => {
      expect([place, changes]).toEqual(['place a1b2c3d4', call.changes]);
      return step('end', status);
    },
  };
  const operation = () => {
    steps.push('operate');
    return operate();
  };
  const now = () => new Date('2030-01-01T00:00:00Z');
  const ports = { trail, now, newName: () => 'a1b2c3d4', log: (entry: unknown) => void logged.push(entry) };
  const outcome = await recorded('update-key', call, operation, ports).catch((error: Error) => error);
  return { steps, outcome, logged };
}

const ENTRY = {
  at: '2030-01-01T00:00:00.000Z',
  action: 'update-key',
  target: { hash: 'h1' },
  fields: ['name'],
  changes: [],
  key_hash: 'k1',
  session_hash: null,
  subject: null,
  request_id: 'r1',
  status: null,
};
const done = async () => json(200, {});

test('a change is recorded before it is made, and its outcome afterwards', async () => {
  const { steps, outcome } = await recordedChange(done);
  expect(steps).toEqual([ENTRY, 'operate', 200]);
  expect(outcome).toMatchObject({ status: 200 });
});

test.each([
  [new NotFound('No such key'), 404],
  [new Error('accident'), 500],
])('a change that fails with %p is recorded as failed', async (error, status) => {
  const { steps, outcome } = await recordedChange(() => Promise.reject(error));
  expect([steps.at(-1), outcome]).toEqual([status, error]);
});

test('the log has each entry too, because no program may change what it has logged', async () => {
  const { logged } = await recordedChange(done);
  expect(logged).toEqual([{ ...ENTRY, place: 'place a1b2c3d4' }]);
});

test('a change that cannot be recorded is not made', async () => {
  const { steps, outcome } = await recordedChange(done, 'begin');
  expect(steps).toEqual([ENTRY]);
  expect(outcome).toBeInstanceOf(Error);
});

test('a change gets its normal response, even if its outcome cannot be recorded', async () => {
  const { steps, outcome } = await recordedChange(done, 'end');
  expect(steps).toEqual([ENTRY, 'operate', 200, 'audit entry not ended']);
  expect(outcome).toMatchObject({ status: 200 });
});

test('a long name in the path is cut between characters', async () => {
  const { steps } = await recordedChange(done, undefined, { path: { hash: `${'x'.repeat(199)}🦊` } });
  expect(steps[0]).toMatchObject({ target: { hash: `${'x'.repeat(199)}\ufffd` } });
});

test('a key in place of an id is not recorded', async () => {
  const { steps } = await recordedChange(done, undefined, { path: { hash: `sk-gw-v1-${'a'.repeat(40)}` } });
  expect(steps[0]).toMatchObject({ target: { hash: 'sk-gw-v1-…' } });
});

test.each([
  [
    'a submit for a workspace',
    { path: {}, body: Buffer.from('{"workspace_id":"w1"}') },
    { workspace_id: 'w1' },
  ],
  [
    'an upload for one, whose body is a stream',
    { path: {}, query: { workspace_id: 'w1' } },
    { workspace_id: 'w1' },
  ],
  ['a read of a generation', { path: {}, query: { id: 'gen_1', limit: '5' } }, { id: 'gen_1' }],
])('what is recorded of %s names it', async (_, call, target) => {
  const { steps } = await recordedChange(done, undefined, call);
  expect(steps[0]).toMatchObject({ target });
});
