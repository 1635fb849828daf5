import type { Headers } from '../http/authentication.ts';
import { type NeutralName, type WireNames, wireName } from '../wire-names.ts';

/** The three forms in which a file is described: ours, and those of two providers' own file APIs. */
export type Shape = NeutralName;

export interface Dialect {
  readonly shape: Shape;
  /** What `_shape` says. */
  readonly name: string;
}

/** A client of a provider is known by its headers, so that it gets the shape that it parses. */
export function chooseDialect(headers: Headers, names: WireNames): Dialect {
  const shape = shapeOf(headers);
  return { shape, name: wireName(shape, names) };
}

function shapeOf(headers: Headers): Shape {
  if (headers['anthropic-version'] !== undefined) return 'provider_b';
  if (/^OpenAI\//.test(headers['user-agent'] ?? '')) return 'provider_a';
  return 'native';
}
