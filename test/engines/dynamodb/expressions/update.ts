import type { Value } from '../value.ts';
import type { Path } from './path.ts';

export type UpdateOperand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: UpdateOperand }
  | { readonly kind: 'list_append'; readonly first: UpdateOperand; readonly second: UpdateOperand }
  | { readonly kind: '+' | '-'; readonly left: UpdateOperand; readonly right: UpdateOperand };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: UpdateOperand }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: Value }[];
  readonly delete: readonly { readonly path: Path; readonly value: Value }[];
}

export const pathsOf = (update: Update): Path[] => [
  ...[...update.set, ...update.add, ...update.delete].map(({ path }) => path),
  ...update.remove,
];
