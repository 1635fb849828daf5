import { ProviderError } from '../provider.ts';

/** @throws ProviderError when an answer is about other work than was asked after */
export function expectSameJob(asked: string, answered: string): void {
  if (answered !== asked) throw new ProviderError('unavailable', 'The provider answered about another job');
}
