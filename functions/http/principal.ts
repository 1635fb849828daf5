import type { LimitedClass } from './routes.ts';

/** The kind of a key: it generates, or it also manages keys, workspaces and money. */
export type KeyKind = 'normal' | 'management';

/** Requests a minute, for the classes in which a key has a rate of its own. */
export type RateLimits = Readonly<Partial<Record<LimitedClass, number>>>;

/** Who is calling, as the key's record says: its kind is never inferred from the key's prefix. */
export interface Principal {
  readonly keyHash: string;
  readonly kind: KeyKind;
  /** The workspace of a normal key; the default workspace for a management key. */
  readonly workspaceId: string;
  readonly creator: string;
  readonly rateLimits: RateLimits;
  /** The guardrail of its submits in its own workspace; null: the one that the workspace names. */
  readonly guardrailId?: string | null;
}
