import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JOB_STATUSES } from '../../../functions/videos/jobs/job.ts';
import { LAST_WORD_MILLISECONDS } from '../../../functions/videos/jobs/job-machine.ts';
import { adapterNames } from '../../../functions/videos/providers/dialects.ts';
import { DecryptedKey, type ProviderContext } from '../../../functions/videos/providers/provider.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { UnusableResult } from '../../../functions/videos/results/open-result.ts';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from '../providers/account-fixture.ts';
import { JobWorld } from './job-world.ts';

/** Words of the vendors' APIs, so that garbage often looks like an answer. */
const words = fc.constantFrom(
  ...['id', 'request_id', 'task_id', 'job-1', 'models/m/operations/o', 'queued', 'pending', 'in_progress'],
  ...['running', 'RUNNING', 'IN_QUEUE', 'COMPLETED', 'completed', 'SUCCEEDED', 'succeeded', 'done', 'failed'],
  ...[
    'FAILED',
    'cancelled',
    'expired',
    'aborted',
    'rewinding',
    '',
    'https://cdn.example.com/v.mp4',
    'file:///x',
  ],
);
const names = fc.constantFrom(
  ...[
    'id',
    'request_id',
    'task_id',
    'name',
    'status',
    'progress',
    'output',
    'video',
    'videos',
    'url',
    'error',
  ],
  ...['task', 'data', 'done', 'response', 'content', 'video_url', 'detail', 'usage', 'code', 'message'],
  ...['generatedSamples', 'base_resp', 'status_url', 'response_url', 'urls', 'get', 'cost', 'credits'],
);
const { answer } = fc.letrec((tie) => ({
  answer: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.constantFrom(null, true, false, -1, 0, 50, 101, 1e300),
    fc.array(tie('answer'), { maxLength: 3 }),
    fc.dictionary(names, tie('answer'), { maxKeys: 6 }),
  ),
}));
const INVOCATION = 'arn:aws:bedrock:us-west-2:111122223333:async-invoke/abc123def456';
const id = fc.constantFrom('job-1', 'job-1', 'job-1', 'job-2');
const state = fc.constantFrom(
  ...['queued', 'running', 'processing', 'RUNNING', 'IN_QUEUE', 'rewinding', 'failed', 'FAILED', 'expired'],
  ...['COMPLETED', 'completed', 'SUCCEEDED', 'succeeded', 'done', 'canceled', 'SUCCEEDED', 'succeeded'],
  ...['InProgress', 'Completed', 'Failed'],
);
const good = 'https://cdn.example.com/v.mp4';
const url = fc.constantFrom(good, good, good, good, 'file:///etc/passwd', 'nonsense', '', 7);
const amount = fc.constantFrom(-1, 0, 0.5, 60, 101, 1e300);
const file = fc.record({ url });
/** A mixture of all vendors' answers. Each part may be missing or wrong. */
const nearly = fc.record(
  {
    id,
    name: fc.constant('models/m/operations/o'),
    invocationArn: fc.constant(INVOCATION),
    status: state,
    done: fc.boolean(),
    progress: amount,
    error: fc.oneof(fc.constant(null), fc.record({ code: words, message: words })),
    task: fc.record({ id, status: state, content: file }),
    content: fc.record({ video_url: url }),
    output: fc.oneof(url, fc.array(url, { minLength: 1, maxLength: 2 })),
    video: file,
    cost: fc.record({ credits: amount }),
    usage: fc.record({ total_tokens: amount }),
    response: fc.record({ generatedSamples: fc.array(fc.record({ video: fc.record({ uri: url }) })) }),
  },
  { requiredKeys: ['id', 'name', 'invocationArn'] },
);
const body = fc.oneof(
  { weight: 10, arbitrary: nearly.map((json) => JSON.stringify(json)) },
  { weight: 3, arbitrary: answer.map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: fc.constantFrom('', '<!doctype html>', '{"id":', 'ok', '\u0000') },
);
const reply = fc.record({
  status: fc.constantFrom(
    200,
    200,
    200,
    200,
    200,
    200,
    200,
    200,
    201,
    202,
    301,
    400,
    401,
    403,
    404,
    409,
    422,
    429,
    500,
    502,
    503,
  ),
  body,
  headers: fc.constantFrom<Record<string, string>>(
    {},
    {},
    { 'retry-after': '7' },
    { 'retry-after': '999999' },
    { 'retry-after': 'never' },
    { location: 'https://elsewhere.com/' },
  ),
});
const outage = fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET');
const exchanges = fc.array(fc.oneof({ weight: 6, arbitrary: reply }, { weight: 1, arbitrary: outage }), {
  minLength: 1,
  maxLength: 40,
});

type Answers = typeof exchanges extends fc.Arbitrary<infer Value> ? Value : never;

/** An acceptance that every vendor's adapter understands. */
const ACCEPTED: Answers[number] = {
  status: 200,
  body: JSON.stringify({
    id: 'job-1',
    request_id: 'job-1',
    task_id: 'job-1',
    name: 'models/m/operations/o',
    invocationArn: INVOCATION,
  }),
  headers: {},
};

/** Gives its answers in order and then starts again. */
function vendorOf(answers: Answers): typeof fetch {
  let next = 0;
  return async () => {
    const given = answers[next++ % answers.length]!;
    if (typeof given === 'string') {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: given }) });
    }
    return new Response(given.body, { status: given.status, headers: given.headers });
  };
}

/** Runs a job to its end, and returns it as callers see it after each step. */
async function live(provider: string, answers: Answers, isVideo: boolean) {
  const judge = () => {
    if (!isVideo) throw new UnusableResult('no video');
  };
  const world = new JobWorld({ judge });
  const given = await world.ports.providerContext(provider, world.job);
  const context = {
    ...given,
    apiKey: new DecryptedKey('key'),
    account: ownAccount({}, accountPorts),
    fetch: vendorOf(answers),
  };
  Object.assign(world.ports, {
    provider: () => providerOf(provider),
    providerContext: async (): Promise<ProviderContext> => context,
  });
  const seen = [world.job];
  while (world.messages.length > 0) {
    await world.run(1);
    seen.push(world.job);
  }
  return { world, seen };
}

const vendors = adapterNames.filter((name) => name !== 'sandbox');

describe('a provider that answers with garbage', () => {
  test.each(vendors)(
    '%s: neither breaks the worker nor keeps the job past the last moment of its deadline',
    async (provider) => {
      await fc.assert(
        fc.asyncProperty(exchanges, fc.boolean(), fc.boolean(), async (garbage, isAccepted, isVideo) => {
          const answers = isAccepted ? [ACCEPTED, ...garbage] : garbage;
          const { world, seen } = await live(provider, answers, isVideo);
          expect(world.job.phase).toBe('settled');
          expect(world.now).toBeLessThanOrEqual(world.job.deadline_at + LAST_WORD_MILLISECONDS);
          expect([world.events.size, world.outcomes.length]).toEqual([1, 1]);
          expect(Number.isSafeInteger(world.job.cost_micros ?? 0)).toBe(true);
          for (const [i, after] of seen.slice(1).entries()) {
            const before = seen[i]!;
            expect(after.progress ?? 0).toBeGreaterThanOrEqual(before.progress ?? 0);
            expect(rank(after.status)).toBeGreaterThanOrEqual(rank(before.status));
          }
        }),
        { numRuns: 50 },
      );
    },
  );
});

/** All final states have the same rank, so a job cannot go from one to another. */
const rank = (status: (typeof JOB_STATUSES)[number]) => Math.min(2, JOB_STATUSES.indexOf(status));
