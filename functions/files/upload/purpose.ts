import { invalidField } from '../../http/invalid-field.ts';

/** Purposes that one of the response shapes shows; kept as sent. */
export const PURPOSES = [
  'assistants',
  'batch',
  'fine-tune',
  'vision',
  'user_data',
  'evals',
  'assistants_output',
  'batch_output',
  'fine-tune-results',
] as const;
const DEFAULT_PURPOSE = 'user_data';

/** @throws InvalidRequest */
export function checkedPurpose(purpose: string = DEFAULT_PURPOSE): string {
  if (PURPOSES.some((each) => each === purpose)) return purpose;
  throw invalidField('purpose', `must be one of ${PURPOSES.join(', ')}`, { supported: PURPOSES });
}
