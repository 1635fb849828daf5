import { describe, expect, test } from '@jest/globals';
import { ENOUGH_SAMPLES, figuresOf, type Sample } from '../../../functions/videos/routing/figures.ts';
import { NOW } from './an-offer.ts';

const DAY = 86_400_000;
const at = NOW.getTime() - 1;

const served = (waited_seconds: number, change: Partial<Sample> = {}): Sample => ({
  at,
  video_seconds: 4,
  waited_seconds,
  ...change,
});
const failed: Sample = { at, video_seconds: 4 };

describe('the figures of an offer', () => {
  test('do not exist without samples of the last week', () => {
    expect(figuresOf([], 7, NOW)).toEqual({ samples: 0, restsUntil: 7 });
    const old = [served(1, { at: NOW.getTime() - 7 * DAY })];
    expect(figuresOf(old, 0, NOW)).toEqual({ samples: 0, restsUntil: 0 });
    expect(figuresOf([served(1, { at: NOW.getTime() - 7 * DAY + 1 })], 0, NOW).samples).toBe(1);
  });

  test('include latency and throughput once there are enough samples, and success from the first on', () => {
    const few = Array.from({ length: ENOUGH_SAMPLES - 1 }, () => served(10));
    expect(figuresOf(few, 0, NOW)).toEqual({ samples: 4, successRate: 1, restsUntil: 0 });
    expect(figuresOf([...few, failed], 0, NOW)).toEqual({ samples: 5, successRate: 0.8, restsUntil: 0 });
    expect(figuresOf([...few, served(10)], 0, NOW)).toEqual({
      samples: 5,
      successRate: 1,
      latencySeconds: 10,
      throughput: 0.4,
      restsUntil: 0,
    });
  });

  test('are medians, whatever the order of samples', () => {
    const samples = [served(90), served(10), served(40), served(20), served(30)];
    expect(figuresOf(samples, 0, NOW)).toMatchObject({ latencySeconds: 30, throughput: 4 / 30 });
    expect(figuresOf([...samples, served(500)], 0, NOW).latencySeconds).toBe(30);
  });

  test('say that its provider calls, until it has not called at five ends in a row', () => {
    const ends = (...told: (boolean | undefined)[]) =>
      told.map((each, i) => served(10, { at: at - i, ...(each === undefined ? {} : { told: each }) }));
    const calls = (...told: (boolean | undefined)[]) => figuresOf(ends(...told), 0, NOW).callsBack;
    expect(calls(undefined, undefined)).toBeUndefined();
    expect(calls(false)).toBeUndefined();
    expect(calls(true)).toBe(true);
    expect(calls(false, undefined, false, false, false, true)).toBe(true);
    expect(calls(false, false, false, false, false, true)).toBeUndefined();
    expect(calls(true, false, false, false, false, false)).toBe(true);
  });

  test('learn from a job that moderation refused whether its provider calls, and nothing else', () => {
    const moderated = (told: boolean, i = 0): Sample => ({ ...failed, at: at - i, told, is_moderated: true });
    expect(figuresOf([moderated(true)], 0, NOW)).toEqual({ samples: 0, callsBack: true, restsUntil: 0 });
    expect(figuresOf([moderated(false), served(10)], 0, NOW)).toMatchObject({ samples: 1, successRate: 1 });
    const silent = Array.from({ length: 5 }, (_, i) => moderated(false, i));
    expect(figuresOf([...silent, served(10, { at: at - 5, told: true })], 0, NOW)).not.toHaveProperty(
      'callsBack',
    );
  });
});
