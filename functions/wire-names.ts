import * as v from 'valibot';

/**
 * Which names a deployment uses where there are two on the wire: `native` ones are our own; `openrouter` ones are that
 * service's, so that its SDK and its receivers of webhooks find what they expect.
 */
export const WIRE_NAMES = ['native', 'openrouter'] as const;
export const wireNamesSchema = v.picklist(WIRE_NAMES);
export type WireNames = v.InferOutput<typeof wireNamesSchema>;

const OPENROUTER_NAMES = { native: 'openrouter', provider_a: 'openai', provider_b: 'anthropic' } as const;
export type NeutralName = keyof typeof OPENROUTER_NAMES;

/** The name in answers; requests may always use either. */
export function wireName(name: NeutralName, names: WireNames): string {
  return names === 'openrouter' ? OPENROUTER_NAMES[name] : name;
}
