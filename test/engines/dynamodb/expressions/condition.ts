import type { Type, Value } from '../value.ts';
import type { Path } from './path.ts';

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'size'; readonly of: Operand };

export const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparator = (typeof COMPARATORS)[number];

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare';
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly options: readonly Operand[] }
  | { readonly kind: 'exists'; readonly path: Path; readonly expected: boolean }
  | { readonly kind: 'type'; readonly path: Path; readonly type: Type }
  | { readonly kind: 'begins'; readonly operand: Operand; readonly start: Operand }
  | { readonly kind: 'contains'; readonly operand: Operand; readonly wanted: Operand };
