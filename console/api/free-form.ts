import type { components, VideoRequest } from './types.ts';

/** The description's types take an object whose names are free for one that has none: such an object is handed over here. */
export const freeForm = (value: object): Record<string, never> => value as Record<string, never>;

export function requestBody({
  metadata,
  provider,
  ...request
}: VideoRequest): components['schemas']['VideoRequest'] {
  return {
    ...request,
    ...(metadata === undefined ? {} : { metadata: freeForm(metadata) }),
    ...(provider === undefined ? {} : { provider: freeForm(provider) }),
  };
}
