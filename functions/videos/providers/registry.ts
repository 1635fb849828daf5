import type { VideoModel } from '../catalogue/catalogue.ts';
import { bedrock } from './bedrock.ts';
import { byteplus } from './byteplus.ts';
import { dashscope } from './dashscope.ts';
import { fal } from './fal.ts';
import { geminiVeo } from './gemini-veo.ts';
import { kling } from './kling.ts';
import { minimax } from './minimax.ts';
import { openaiVideos } from './openai-videos.ts';
import type { VideoProvider } from './provider.ts';
import { replicate } from './replicate.ts';
import { runway } from './runway.ts';
import { sandboxProvider } from './sandbox/sandbox-provider.ts';
import { xai } from './xai.ts';

const ADAPTERS = [
  sandboxProvider,
  openaiVideos,
  fal,
  replicate,
  geminiVeo,
  bedrock,
  byteplus,
  runway,
  xai,
  minimax,
  dashscope,
  kling,
];

const providers: ReadonlyMap<string, VideoProvider> = new Map(
  ADAPTERS.map((provider) => [provider.name, provider]),
);

export const providerNames = (): string[] => [...providers.keys()];

export function providerOf(model: Pick<VideoModel, 'id' | 'provider'>): VideoProvider {
  const provider = providers.get(model.provider);
  if (provider === undefined)
    throw new Error(`${model.id} names a provider without an adapter: ${model.provider}`);
  return provider;
}
