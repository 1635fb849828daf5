import { InvalidRequest } from './errors.ts';

/** No field of ours is as long, but callers choose the names of members, and an answer must stay one. */
const LONGEST_NAME = 64;

/**
 * A refusal that names the field and the rule: `frame_images.0.frame_type: must be one of …`, with the path in
 * the metadata.
 */
export function invalidField(path: readonly unknown[], rule: string): InvalidRequest {
  const names = path.map(String).map((name) => clip(name));
  const dotted = names.join('.');
  return new InvalidRequest(`${dotted}: ${rule}`, { metadata: { path: dotted } });
}

function clip(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
