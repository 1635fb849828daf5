import { describe, expect, test } from '@jest/globals';
import { SubmitPace } from '../../../functions/videos/worker/provider-gate.ts';

const NOW = 1_000_000;

function refusing(jobIds: string[], wished?: number): SubmitPace {
  const pace = new SubmitPace();
  for (const id of jobIds) pace.refused(id, NOW, wished);
  return pace;
}

const different = (many: number) => Array.from({ length: many }, (_, i) => `vid_${i}`);

describe('after a 429', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 16],
    [6, 16],
    [1_000, 16],
  ])('to %i different jobs the others wait %i s', (many, seconds) => {
    const pace = refusing(different(many));
    expect(pace.admit(NOW)).toBe(seconds);
    expect(pace.admit(NOW + seconds * 1000 - 1)).toBe(0.001);
    expect(pace.admit(NOW + seconds * 1000)).toBe(0);
  });

  test('that one job gets repeatedly the others wait a second', () => {
    expect(refusing(Array.from({ length: 50 }, () => 'vid_1')).admit(NOW)).toBe(1);
  });

  test.each([
    [1, 60, 1],
    [2, 60, 60],
    [2, 1, 2],
    [2, 900, 900],
    [2, 86_400, 900],
  ])('to %i different jobs that asks for %i s the others wait %i s', (many, wished, seconds) => {
    expect(refusing(different(many), wished).admit(NOW)).toBe(seconds);
  });

  test('a later refusal that asks for a shorter wait does not shorten it', () => {
    const pace = refusing(different(2), 60);
    pace.refused('vid_9', NOW + 1_000, 1);
    expect(pace.admit(NOW + 1_000)).toBe(59);
  });

  test('submits go out one by one', () => {
    const pace = refusing(different(3));
    expect([pace.admit(NOW + 4_000), pace.admit(NOW + 4_000), pace.admit(NOW + 8_000)]).toEqual([0, 4, 0]);
  });
});
