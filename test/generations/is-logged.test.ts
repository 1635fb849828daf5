import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLogged, isSampled, type LoggingSettings } from '../../functions/generations/log-generation.ts';
import { newId } from '../../functions/ids.ts';
import { generationIdOf } from '../../functions/videos/jobs/job.ts';

const ON: LoggingSettings = {
  is_observability_io_logging_enabled: true,
  io_logging_sampling_rate: 1,
  io_logging_api_key_ids: null,
};
const generation = { id: 'gen_01jg000000000000000000000a', key_hash: 'a'.repeat(64) };

describe('a generation', () => {
  test.each<[string, Partial<LoggingSettings>, boolean]>([
    ['of a workspace that logs', {}, true],
    ['of a workspace that does not log', { is_observability_io_logging_enabled: false }, false],
    ['by a listed key', { io_logging_api_key_ids: ['b', 7, generation.key_hash] }, true],
    ['by another key', { io_logging_api_key_ids: ['b', 7] }, false],
    ['if no key is listed', { io_logging_api_key_ids: [] }, false],
    ['outside the sample', { io_logging_sampling_rate: 0 }, false],
  ])('%s', (_, change, logged) => {
    expect(isLogged(generation, { ...ON, ...change })).toBe(logged);
  });
});

describe('a sample', () => {
  const ids = fc.string().map((text) => `gen_${text}`);
  const rates = fc.double({ min: 0, max: 1, noNaN: true });

  test('of 1 contains every generation, and of 0 none', () => {
    fc.assert(fc.property(ids, (id) => isSampled(id, 1) && !isSampled(id, 0)));
  });

  test('is always the same, and part of each larger one', () => {
    fc.assert(
      fc.property(ids, rates, rates, (id, a, b) => {
        const [smaller, larger] = [Math.min(a, b), Math.max(a, b)];
        expect(isSampled(id, smaller)).toBe(isSampled(id, smaller));
        expect(isSampled(id, smaller) && !isSampled(id, larger)).toBe(false);
      }),
    );
  });

  test.each([0.0001, 0.01, 0.25, 0.9])('of %d contains that share of new ids', (rate) => {
    const many = 40_000;
    // The ids follow each other as on a stage: only their last characters differ.
    const at = new Date('2026-01-01T00:00:00Z');
    const made = Array.from({ length: many }, () => generationIdOf(newId.video(at)));
    const deviation = Math.sqrt(many * rate * (1 - rate));
    const sampled = made.filter((id) => isSampled(id, rate)).length;
    expect(Math.abs(sampled - many * rate)).toBeLessThan(6 * deviation);
  });
});
