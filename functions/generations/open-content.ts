import * as v from 'valibot';
import { NotFound } from '../http/errors.ts';
import { type Content, contentSchema } from './content.ts';
import type { ContentStore } from './content-store.ts';
import type { Generation } from './generation.ts';
import type { Owner, Sealed } from './sealed-content.ts';

export interface OpenPorts {
  readonly contents: Pick<ContentStore, 'find'>;
  readonly unseal: (owner: Owner, sealed: Sealed) => Promise<string>;
  readonly now: () => Date;
}

const textSchema = v.pipe(v.string(), v.parseJson(), contentSchema);

/** @throws NotFound where the generation was never logged, or its log has expired */
export async function openContent(
  { workspace_id, id: generation_id }: Generation,
  { contents, unseal, now }: OpenPorts,
): Promise<Content> {
  const owner = { workspace_id, generation_id };
  const sealed = await contents.find(owner, now());
  if (sealed === undefined) throw new NotFound('There is no log of this generation');
  return v.parse(textSchema, await unseal(owner, sealed));
}
