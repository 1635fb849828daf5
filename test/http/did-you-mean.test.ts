import { describe, expect, test } from '@jest/globals';
import { didYouMean, suggestion } from '../../functions/http/unknown-names.ts';

const FIELDS = ['model', 'prompt', 'duration', 'aspect_ratio', 'generate_audio'];

describe('a suggestion', () => {
  test.each([
    ['durations', 'duration'],
    ['aspectRatio', 'aspect_ratio'],
    ['Model', 'model'],
    ['promt', 'prompt'],
    ['x', undefined],
    ['temperature', undefined],
    ['', undefined],
    [`${'model'.repeat(21)}`, undefined],
  ])('for %j is %j', (word, meant) => {
    expect(suggestion(word, FIELDS)).toBe(meant);
  });

  test('is added to a refusal, if there is one', () => {
    expect(didYouMean('durations', FIELDS)).toBe('; did you mean duration?');
    expect(didYouMean('temperature', FIELDS)).toBe('');
    expect(didYouMean('model', [])).toBe('');
  });
});
