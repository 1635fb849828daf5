/** A value of an attribute as on the wire, with numbers in canonical form and sets without order. */
export type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly Value[] }
  | { readonly M: Item }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] };

export type Item = Readonly<Record<string, Value>>;

export const TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'] as const;
export type Type = (typeof TYPES)[number];

const TYPE_BY_NAME: Readonly<Record<string, Type>> = Object.fromEntries(TYPES.map((type) => [type, type]));

export function typeOf(value: Value): Type {
  for (const name in value) {
    const type = TYPE_BY_NAME[name];
    if (type !== undefined) return type;
  }
  throw new Error('a value without a type');
}

export function elementsOf(value: Value): readonly string[] | undefined {
  if ('SS' in value) return value.SS;
  if ('NS' in value) return value.NS;
  return 'BS' in value ? value.BS : undefined;
}

export function setOf(type: 'SS' | 'NS' | 'BS', elements: readonly string[]): Value {
  if (type === 'SS') return { SS: elements };
  return type === 'NS' ? { NS: elements } : { BS: elements };
}

/** Copies of an item with one attribute more, or one less. */
export const withAttribute = (item: Item, name: string, value: Value): Item => ({ ...item, [name]: value });

export function withoutAttribute(item: Item, name: string): Item {
  const { [name]: _, ...rest } = item;
  return rest;
}
