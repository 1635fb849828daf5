import { describe, expect, test } from '@jest/globals';
import { pollDelay, putOffDelay, submitDelay } from '../../../functions/videos/worker/cadence.ts';

describe('the pace of polling', () => {
  test.each([
    [0, 2],
    [1, 2],
    [2, 5],
    [6, 5],
    [7, 10],
    [18, 10],
    [19, 25],
    [1_000, 25],
  ])('after %i polls it waits %i s', (polls, seconds) => {
    expect(pollDelay(polls, undefined)).toBe(seconds);
  });

  test.each([
    [0, 1],
    [0.2, 1],
    [7.1, 8],
    [900, 900],
    [5_000, 900],
  ])('a provider that wishes for %d s gets %i', (wished, seconds) => {
    expect(pollDelay(0, wished)).toBe(seconds);
  });
});

describe('a job that is put off', () => {
  test.each([
    [0.2, 0, 1],
    [0.2, 0.999, 2],
    [30, 0, 30],
    [30, 0.999, 45],
    [899, 0.999, 900],
  ])('for %d s at a draw of %d comes back after %i s', (seconds, draw, waited) => {
    expect(putOffDelay(seconds, () => draw)).toBe(waited);
  });
});

describe('the pace of submits', () => {
  test.each([
    [1, 0, 1],
    [1, 0.999, 2],
    [3, 0.999, 8],
    [50, 0.999, 60],
  ])('after %i submits and a draw of %d it waits %i s', (submits, draw, seconds) => {
    expect(submitDelay(submits, undefined, () => draw)).toBe(seconds);
  });

  test('is the provider’s where it has a wish', () => {
    expect(submitDelay(9, 30, () => 0.5)).toBe(30);
  });
});
