import * as v from 'valibot';

/**
 * How a deployment names what has two names on the wire: `native` in words of its own; `openrouter` as that
 * service does, so that its SDK and its receivers of webhooks find what they look for.
 */
export const WIRE_NAMES = ['native', 'openrouter'] as const;
export const wireNamesSchema = v.picklist(WIRE_NAMES);
export type WireNames = v.InferOutput<typeof wireNamesSchema>;

const OPENROUTER_NAMES = { native: 'openrouter', provider_a: 'openai', provider_b: 'anthropic' } as const;
export type NeutralName = keyof typeof OPENROUTER_NAMES;

/** In answers; requests may use either name at any time. */
export function wireName(name: NeutralName, names: WireNames): string {
  return names === 'openrouter' ? OPENROUTER_NAMES[name] : name;
}
