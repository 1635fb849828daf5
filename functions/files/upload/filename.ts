import { invalidField } from '../../http/invalid-field.ts';

const LONGEST = 255;

/**
 * The name a file is shown by; it never becomes part of a storage key. `/` means folders.
 * @throws InvalidRequest
 */
export function checkedFilename(filename: string): string {
  if (filename === '') return 'upload';
  const fail = (rule: string) => invalidField('filename', rule);
  if (filename.length > 2 * LONGEST || [...filename].length > LONGEST)
    throw fail(`must be 1 to ${LONGEST} characters`);
  if (/\p{Cc}/u.test(filename)) throw fail('must not hold control characters');
  if (filename.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw fail('must not begin or end with "/", nor hold an empty, "." or ".." segment');
  }
  return filename;
}
