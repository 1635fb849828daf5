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
import { sandboxProvider } from './sandbox.ts';
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

/** @throws Error for a name that no adapter has */
export function providerOf(adapter: string): VideoProvider {
  const provider = providers.get(adapter);
  if (provider === undefined) throw new Error(`There is no adapter for the provider ${adapter}`);
  return provider;
}
