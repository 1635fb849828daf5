import type { Principal } from './call.ts';

/**
 * What keys may be limited to. Each operation with a key belongs to one group: `read` shows settings and states, `content`
 * what is private in files, videos and logs; `generate` makes, stores and deletes; each of the others changes what it names.
 */
export const OPERATION_GROUPS = [
  'read',
  'content',
  'generate',
  'keys',
  'workspaces',
  'money',
  'catalogue',
  'webhooks',
] as const;
export type OperationGroup = (typeof OPERATION_GROUPS)[number];

/** Limits of what a credential may do. Null: no such limit. */
export interface Scope {
  /** The ids of the workspaces that a management key may act in. */
  readonly workspaces: readonly string[] | null;
  readonly operations: readonly OperationGroup[] | null;
  /** CIDR blocks, one of which a request must come from. */
  readonly networks: readonly string[] | null;
}

/** What tells where and what a caller may do. */
export type Caller = Pick<Principal, 'kind' | 'workspaceId' | 'scope'>;

/** Where each caller was let in last, for the log. */
const entered = new WeakMap<Caller, string>();

/** Whether a workspace is in the caller's scope, for questions about scopes alone. */
export const reaches = ({ kind, workspaceId, scope }: Caller, id: string): boolean =>
  kind === 'normal' ? id === workspaceId : (scope.workspaces?.includes(id) ?? true);

/** Whether the caller may act in a workspace, which the log then tells. Every look-up of something in a workspace asks this. */
export function mayActIn(caller: Caller, id: string): boolean {
  const may = reaches(caller, id);
  if (may) entered.set(caller, id);
  return may;
}

/** The workspace in which a request has acted: of a management key the one that it was let into, if it was. */
export const actedIn = (caller: Caller): string => entered.get(caller) ?? caller.workspaceId;

export const mayDo = ({ scope }: Pick<Principal, 'scope'>, group: OperationGroup): boolean =>
  scope.operations?.includes(group) ?? true;

export const UNLIMITED: Scope = { workspaces: null, operations: null, networks: null };
