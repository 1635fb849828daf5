import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import { aCandidate, aJob, PRINCIPAL, START } from './job-fixture.ts';

const other = (id: string, provider: string, deadline_seconds: number) => {
  const { offer } = aCandidate();
  return aCandidate({
    offer: { ...offer, id, provider, deadline_seconds },
    estimateMicros: micros(9),
    isByok: true,
  });
};
const video = aJob().request;

describe('a new job', () => {
  test('is pending, due at once, and holds nothing yet', () => {
    const { offer, estimateMicros } = aCandidate();
    expect(aJob()).toEqual({
      id: 'vid_01jg000000000000000000000a',
      workspace_id: 'ws-1',
      key_hash: 'hash',
      model: 'sandbox/clip-1',
      request: video,
      duration_seconds: 4,
      size: '640x360',
      endpoint: offer.id,
      provider: 'sandbox',
      estimate_micros: estimateMicros,
      is_byok: false,
      alternatives: [],
      holds: [],
      callback_url: 'https://receiver.example/hook',
      public_url: 'https://api.example',
      status: 'pending',
      phase: 'queued',
      seq: 0,
      link: '',
      step: '',
      submits: 0,
      polls: 0,
      unusable_copies: 0,
      due_at: START.getTime(),
      sweeps: 0,
      deadline_at: START.getTime() + offer.deadline_seconds * 1000,
      history: [{ at: START.toISOString(), status: 'pending' }],
      created_at: START.toISOString(),
      updated_at: START.toISOString(),
    });
  });

  test('keeps where else it may go, the longest of their deadlines, and their settings', () => {
    const far = other('far/clip', 'far', 100_000);
    const near = other('sandbox/clip-2', 'sandbox', 1);
    const choice = { video, candidates: [aCandidate(), near, far, other('bare/clip', 'bare', 1)] as const };
    const job = aJob({}, { choice, options: { far: { seed: 1 }, sandbox: { seed: 2 } } });
    const terms = { estimate_micros: 9, is_byok: true };
    expect(job).toMatchObject({
      alternatives: [
        { endpoint: 'sandbox/clip-2', provider: 'sandbox', ...terms },
        { endpoint: 'far/clip', provider: 'far', ...terms },
        { endpoint: 'bare/clip', provider: 'bare', ...terms },
      ],
      deadline_at: START.getTime() + 100_000_000,
    });
    expect(job.other_options).toEqual({ far: { seed: 1 }, bare: {} });
  });

  test('keeps its terms, notes and warnings where there are any', () => {
    const candidates = [aCandidate()] as const;
    const terms = { guardrailId: 'guard-1', dataDiscount: 0.1 };
    expect(
      aJob({}, { choice: { video, candidates, ...terms }, metadata: { a: 'b' }, warnings: ['w'] }),
    ).toMatchObject({ guardrail_id: 'guard-1', data_discount: 0.1, metadata: { a: 'b' }, warnings: ['w'] });
    const attribution = { user: 'user-7', session_id: 'chat-1', trace: { tier: 3 } };
    expect(aJob({}, { attribution })).toMatchObject(attribution);
    expect(aJob({}, { choice: { video, candidates, dataDiscount: 0 } })).not.toHaveProperty('data_discount');
  });

  test('names the user of its key, where that has one', () => {
    expect(aJob({}, { principal: { ...PRINCIPAL, creator: 'user-1' } }).creator).toBe('user-1');
  });

  test('names the model of its offer where the caller has named the offer', () => {
    expect(aJob({}, { model: 'another/name' }).endpoint_of).toBe('sandbox/clip-1');
  });
});
