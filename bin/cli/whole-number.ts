import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Reads the argument of an option. */
export function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
