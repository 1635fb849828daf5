import { elementsOf, type Item, type Value } from './value.ts';

/** Limits in bytes: for an item, for a page of a query or scan, for a transaction. */
export const LARGEST_ITEM = 400 * 1024;
export const LARGEST_PAGE = 1024 ** 2;
export const LARGEST_TRANSACTION = 4 * 1024 ** 2;
export const LARGEST_BATCH = 16 * 1024 ** 2;

const sizes = new WeakMap<Item, number>();

/**
 * An item's size as DynamoDB counts it: names and values in bytes, and a few bytes for each level ("Item sizes and
 * formats").
 */
export function itemSize(item: Item): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));
  sizes.set(item, size);
  return size;
}

function valueSize(value: Value): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return numberSize(value.N);
  if ('B' in value) return binarySize(value.B);
  if ('BOOL' in value || 'NULL' in value) return 1;
  if ('L' in value) return 3 + sum(value.L.map((each) => 1 + valueSize(each)));
  if ('M' in value) return 3 + Object.keys(value.M).length + itemSize(value.M);
  const size = 'SS' in value ? Buffer.byteLength : 'NS' in value ? numberSize : binarySize;
  return sum((elementsOf(value) ?? []).map((each) => size(each)));
}

/** One byte for two digits, without leading and trailing zeros; one byte more, and another one for a minus. */
function numberSize(text: string): number {
  const digits = text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

const binarySize = (base64: string) => Buffer.byteLength(base64, 'base64');

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
