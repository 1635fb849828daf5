import { InvalidRequest } from './errors.ts';

/** None of our fields has a longer name. Callers choose the names of members, and an answer must stay short. */
const LONGEST_NAME = 64;

export interface FieldDetail extends ErrorOptions {
  /** All values that would be accepted, where they can be listed. */
  readonly supported?: readonly unknown[] | undefined;
}

/**
 * A refusal that names the field and the rule: `frame_images.0.frame_type: must be one of …`, with the path in
 * the metadata.
 */
export function invalidField(
  path: string | readonly unknown[],
  rule: string,
  { supported, ...options }: FieldDetail = {},
): InvalidRequest {
  const names = typeof path === 'string' ? [path] : path.map(String);
  const dotted = names.map((name) => clip(name)).join('.');
  return new InvalidRequest(`${dotted}: ${rule}`, { ...options, metadata: { path: dotted, supported } });
}

function clip(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
