import { ProviderError } from '../provider.ts';

/** @throws ProviderError when an answer is about another job than the one that was asked for */
export function expectSameJob(asked: string, answered: string): void {
  if (answered !== asked) throw new ProviderError('unavailable', 'The provider answered about another job');
}
