import * as v from 'valibot';
import { type AuthenticatedCall, type Call, query } from '../http/call.ts';
import { InvalidRequest, NotFound } from '../http/errors.ts';
import { pageSize, workspaceId } from '../http/validation.ts';
import { actingWorkspace } from '../workspaces/find-workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { FILE_ID, PURPOSES, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';
import type { FileProviderName } from './providers/file-provider.ts';

/** Each provider has two names, its own and the neutral one. */
const PROVIDERS: ReadonlyMap<string, FileProviderName> = new Map([
  ['provider_a', 'openai'],
  ['provider_b', 'anthropic'],
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
]);
const PROVIDER_NAMES = [...PROVIDERS.keys()];

/** The query of every operation on files. */
export const fileScopeQuery = {
  workspace_id: v.optional(workspaceId),
  provider: v.optional(
    v.pipe(
      v.picklist(PROVIDER_NAMES, `must be one of ${PROVIDER_NAMES.join(', ')}`),
      v.description(
        'The provider whose own Files API has the file, with the key that the workspace has stored for it; `provider_a` is OpenAI, `provider_b` Anthropic. Without it, files are stored here',
      ),
    ),
  ),
};

interface FileScope {
  readonly workspaceId: string;
  /** The provider that stores the files; undefined for our own storage. */
  readonly provider: FileProviderName | undefined;
}

/**
 * The workspace whose files a request is about: the key's own, or the one it names. The answer is the same for somebody
 * else's workspace and for one that does not exist.
 * @throws InvalidRequest, PermissionDenied
 */
export async function fileScope(
  call: Pick<AuthenticatedCall, 'query' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
): Promise<FileScope> {
  const { workspace_id: named, provider: account } = query(call, fileScopeQuery);
  const provider = account === undefined ? undefined : PROVIDERS.get(account);
  return { workspaceId: await actingWorkspace(call.principal, named, workspaces), provider };
}

/** The form that the providers' ids have in common. */
export const PROVIDER_FILE_ID = /^[\w-]{1,128}$/;

export const fileNotFound = () => new NotFound('No such file');

/**
 * The file that a path names, in a workspace. The answer is the same for somebody else's file and for one that does not
 * exist.
 */
export async function findFile(
  { path }: Call<{ file: string }>,
  workspaceId: string,
  files: Pick<FileStore, 'find'>,
): Promise<StoredFile> {
  const file = FILE_ID.test(path.file) ? await files.find(workspaceId, path.file) : undefined;
  if (file === undefined) throw fileNotFound();
  return file;
}

/** The id in a path, of a file at a provider. */
export function providerFileId({ path }: Call<{ file: string }>): string {
  if (!PROVIDER_FILE_ID.test(path.file)) throw fileNotFound();
  return path.file;
}

/**
 * Where a page begins, in the words of our own clients (`cursor`) and of two providers' (`after`; `after_id`, `page`).
 */
const STARTS = ['cursor', 'after', 'after_id', 'page'] as const;

export interface ListQuery {
  readonly limit: number;
  readonly after: string | undefined;
  readonly purpose?: string | undefined;
}

/** The query of a list of files whose ids have this form; without one, of any files. */
export function fileListQuery(id?: RegExp) {
  const text = v.pipe(
    v.string(),
    v.description(
      'The last id of the page before. `cursor`, `after`, `after_id` and `page` mean the same: send one of them',
    ),
  );
  const start = v.optional(id === undefined ? text : v.pipe(text, v.regex(id, 'must be the id of a file')));
  return {
    limit: v.optional(pageSize(1000), '100'),
    purpose: v.optional(
      v.pipe(
        v.picklist(PURPOSES, `must be one of ${PURPOSES.join(', ')}`),
        v.description('Only files of this purpose'),
      ),
    ),
    order: v.optional(
      v.pipe(
        v.literal('asc', 'must be asc: files are listed oldest first'),
        v.description('Oldest first is the only order'),
      ),
    ),
    before_id: v.optional(v.never('is not supported; page forward with after_id')),
    cursor: start,
    after: start,
    after_id: start,
    page: start,
  };
}

/**
 * @param id the form of the files' ids
 * @throws InvalidRequest
 */
export function listQuery(call: Pick<Call, 'query'>, id: RegExp): ListQuery {
  const given = query(call, fileListQuery(id));
  const starts = STARTS.filter((name) => given[name] !== undefined);
  const [name, other] = starts;
  if (other !== undefined) {
    throw new InvalidRequest(`${starts.join(', ')}: send only one of them`, { metadata: { path: other } });
  }
  const { limit, purpose } = given;
  return { limit, purpose, after: name === undefined ? undefined : given[name] };
}
