import * as v from 'valibot';
import { type AuthenticatedCall, type Call, query } from '../http/call.ts';
import { InvalidRequest, invalidField, NotFound } from '../http/errors.ts';
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
      v.picklist(PROVIDER_NAMES),
      v.description(
        'Provider whose Files API Genway calls. The workspace must have a provider key for it. `provider_a` is OpenAI, `provider_b` Anthropic. Omit it to use Genway’s own storage',
      ),
    ),
  ),
};

/** The query of every operation on uploads in parts. */
export const uploadScopeQuery = {
  ...fileScopeQuery,
  provider: v.optional(
    v.never('is not supported; Genway itself stores all files that are uploaded in parts'),
  ),
};

const WORKSPACE_HEADER = 'anthropic-workspace-id';

/** The header of every operation on files by which Anthropic's clients name the workspace. */
export const fileScopeHeader = {
  [WORKSPACE_HEADER]: v.optional(
    v.pipe(workspaceId, v.description('The same as `workspace_id`, which takes precedence')),
  ),
};

interface FileScope {
  readonly workspaceId: string;
  /** The provider that stores the files; undefined for our own storage. */
  readonly provider: FileProviderName | undefined;
}

/**
 * The workspace whose files a request is about: the key's own, or the one that its query or header names. The answer is
 * the same for somebody else's workspace and for one that does not exist.
 * @throws InvalidRequest, PermissionDenied
 */
export async function fileScope(
  call: Pick<AuthenticatedCall, 'query' | 'headers' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
): Promise<FileScope> {
  const { workspace_id = call.headers[WORKSPACE_HEADER], provider: account } = query(call, fileScopeQuery);
  const provider = account === undefined ? undefined : PROVIDERS.get(account);
  return { workspaceId: await actingWorkspace(call.principal, workspace_id, workspaces), provider };
}

/** The workspace of an upload in parts, found likewise. */
export async function uploadWorkspace(
  call: Pick<AuthenticatedCall, 'query' | 'headers' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
): Promise<string> {
  query(call, uploadScopeQuery);
  return (await fileScope(call, workspaces)).workspaceId;
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
  /** @default oldest first */
  readonly newestFirst?: boolean;
  /** Only these files, all on one page. */
  readonly ids?: readonly string[] | undefined;
  /** Only files of this scope, such as a session at Anthropic. */
  readonly scopeId?: string | undefined;
}

/** As many as DynamoDB reads in one call, and as Anthropic takes. */
const MOST_IDS = 100;

const idList = (id: RegExp | undefined) =>
  v.pipe(
    v.string(),
    v.metadata({ type: 'array', items: { type: 'string' }, maxItems: MOST_IDS }),
    v.description(
      'Only these files, on one page. Repeat the parameter for each ID. IDs that match no file are ignored. Cannot be combined with `limit` or a cursor. Not supported for files at OpenAI',
    ),
    v.transform((list) => [...new Set(list.split(','))]),
    v.maxLength(MOST_IDS, `must have at most ${MOST_IDS} IDs`),
    v.transform((ids) => ids.filter((each) => id?.test(each))),
  );

const orderSchema = v.pipe(
  v.picklist(['asc', 'desc'], 'must be asc or desc'),
  v.description(
    '`asc`: oldest first; `desc`: newest first. Files at Anthropic come in Anthropic’s order; `desc` is not supported for them',
  ),
);

/** The query of a list of files whose ids have this form; without one, of any files. */
export function fileListQuery(id?: RegExp) {
  const text = v.pipe(
    v.string(),
    v.description(
      'The last ID of the previous page. `cursor`, `after`, `after_id` and `page` are equivalent. Send only one of them',
    ),
  );
  const start = v.optional(id === undefined ? text : v.pipe(text, v.regex(id, 'must be the ID of a file')));
  return {
    limit: v.optional(pageSize(1000), '100'),
    purpose: v.optional(
      v.pipe(
        v.picklist(PURPOSES),
        v.description(
          'Only files with this purpose. No effect for files at Anthropic, which have no purpose',
        ),
      ),
    ),
    order: v.optional(orderSchema, 'asc'),
    'ids[]': v.optional(idList(id)),
    scope_id: v.optional(
      v.pipe(
        v.string(),
        v.description(
          'Only files whose scope at Anthropic, such as a session, has this ID. Matches none of the files that Genway stores. Not supported for files at OpenAI',
        ),
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
  const { limit, purpose, 'ids[]': ids, scope_id: scopeId, order } = given;
  const beside = ids && ['limit', ...STARTS].find((each) => call.query[each] !== undefined);
  if (beside !== undefined) throw invalidField(beside, 'cannot be combined with ids[]');
  const after = name === undefined ? undefined : given[name];
  return { limit, purpose, after, ids, scopeId, newestFirst: order === 'desc' };
}
