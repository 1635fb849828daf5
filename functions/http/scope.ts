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

/** Whether the caller may act in a workspace. Every look-up of something in a workspace asks this. */
export const mayActIn = ({ kind, workspaceId, scope }: Caller, id: string): boolean =>
  kind === 'normal' ? id === workspaceId : (scope.workspaces?.includes(id) ?? true);

export const mayDo = ({ scope }: Pick<Principal, 'scope'>, group: OperationGroup): boolean =>
  scope.operations?.includes(group) ?? true;

export const UNLIMITED: Scope = { workspaces: null, operations: null, networks: null };
