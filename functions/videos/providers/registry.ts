import type { VideoModel } from '../catalogue.ts';
import { fal } from './fal.ts';
import { geminiVeo } from './gemini-veo.ts';
import { openaiVideos } from './openai-videos.ts';
import type { VideoProvider } from './provider.ts';
import { replicate } from './replicate.ts';
import { sandboxProvider } from './sandbox/sandbox-provider.ts';

const providers: ReadonlyMap<string, VideoProvider> = new Map(
  [sandboxProvider, openaiVideos, fal, replicate, geminiVeo].map((provider) => [provider.name, provider]),
);

export const providerNames = (): string[] => [...providers.keys()];

export function providerOf(model: Pick<VideoModel, 'id' | 'provider'>): VideoProvider {
  const provider = providers.get(model.provider);
  if (provider === undefined)
    throw new Error(`${model.id} names a provider without an adapter: ${model.provider}`);
  return provider;
}
