import { describe, expect, test } from '@jest/globals';
import type { AuthenticatedCall, Principal } from '../../../functions/http/call.ts';
import { NotFound } from '../../../functions/http/errors.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { findVisibleJob } from '../../../functions/videos/jobs/job-store.ts';
import { aJob } from './job-fixture.ts';

const WORKSPACE = '0192a0b0-0000-7000-8000-00000000000a';
const job: Job = aJob({ workspace_id: WORKSPACE });
const NOT_FOUND = new NotFound('No such video job');

interface Asked {
  readonly video?: string;
  readonly kind?: Principal['kind'];
  readonly workspaceId?: string;
  readonly named?: string;
}

/** Who finds the job, of all there are; and which ids the table was asked for. */
async function find(
  { video = job.id, kind = 'normal', workspaceId = WORKSPACE, named }: Asked,
  missing?: NotFound,
) {
  const looked: string[] = [];
  const call: AuthenticatedCall<{ video: string }> = {
    requestId: 'r',
    method: 'GET',
    pattern: '/videos/{video}',
    headers: {},
    path: { video },
    query: named === undefined ? {} : { workspace_id: named },
    publicUrl: '',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    warnings: [],
    body: new Uint8Array(),
    changes: [],
    principal: {
      keyHash: 'hash',
      kind,
      workspaceId,
      creator: 'hash',
      rateLimits: {},
      scope: UNLIMITED,
      endsAt: null,
    },
  };
  const jobs = {
    look: async (id: string) => {
      looked.push(id);
      return id === job.id ? job : undefined;
    },
  };
  const workspaces = {
    findById: async () => undefined,
    findBySlug: async (slug: string) =>
      slug === 'own' ? { id: WORKSPACE } : slug === 'else' ? { id: 'x' } : undefined,
  };
  const found = missing
    ? findVisibleJob(call, jobs, workspaces, () => missing)
    : findVisibleJob(call, jobs, workspaces);
  return { found: await found.catch((error: unknown) => error), looked };
}

describe('a job', () => {
  test.each<[string, Asked]>([
    ['its workspace', {}],
    ['an operator', { kind: 'management', workspaceId: 'ws-2' }],
    ['its workspace, by the id', { named: WORKSPACE }],
    ['its workspace, by the id in upper case', { named: WORKSPACE.toUpperCase() }],
    ['its workspace, by the slug', { named: 'own' }],
  ])('is found by %s', async (_, asked) => {
    expect((await find(asked)).found).toBe(job);
  });

  test.each<[string, Asked]>([
    ['another workspace', { workspaceId: 'ws-2' }],
    ['an operator who means another workspace', { kind: 'management', named: 'else' }],
    ['an operator who means none that is there', { kind: 'management', named: 'nobody' }],
    ['whoever names another job', { video: job.id.replace(/a$/, 'b') }],
    ['an operator who names another job', { kind: 'management', video: job.id.replace(/a$/, 'b') }],
  ])('is not found by %s', async (_, asked) => {
    expect((await find(asked)).found).toEqual(NOT_FOUND);
  });

  test('is not looked for where no job can have the name, and then missed in the words of who asks', async () => {
    const missing = new NotFound('No such generation');
    expect(await find({ video: 'vid_1' }, missing)).toEqual({ found: missing, looked: [] });
  });
});
