import type { VideoModel } from '../catalogue.ts';
import type { VideoProvider } from './provider.ts';
import { sandboxProvider } from './sandbox/sandbox-provider.ts';

const providers: ReadonlyMap<string, VideoProvider> = new Map(
  [sandboxProvider].map((provider) => [provider.name, provider]),
);

export function providerOf(model: VideoModel): VideoProvider {
  const provider = providers.get(model.provider);
  if (provider === undefined)
    throw new Error(`${model.id} names a provider without an adapter: ${model.provider}`);
  return provider;
}
