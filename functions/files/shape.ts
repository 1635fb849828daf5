import type { Headers } from '../http/call.ts';
import { isOpenaiClient } from '../http/openai-client.ts';
import { type NeutralName, type WireNames, wireName } from '../wire-names.ts';
import type { FileProviderName } from './providers/file-provider.ts';

/** The three forms in which a file is described: ours, and those of two providers' file APIs. */
export type Shape = NeutralName;

export interface Dialect {
  readonly shape: Shape;
  /** The value of `_shape`. */
  readonly name: string;
}

const SHAPES = { openai: 'provider_a', anthropic: 'provider_b' } as const;

/** The shape of the provider that stores the file; otherwise the one that the client parses, by its headers. */
export function chooseDialect(headers: Headers, names: WireNames, provider?: FileProviderName): Dialect {
  const shape = provider === undefined ? shapeOf(headers) : SHAPES[provider];
  return { shape, name: wireName(shape, names) };
}

function shapeOf(headers: Headers): Shape {
  if (headers['anthropic-version'] !== undefined) return 'provider_b';
  return isOpenaiClient(headers) ? 'provider_a' : 'native';
}
