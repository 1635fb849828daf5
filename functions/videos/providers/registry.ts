import { bedrock } from './bedrock.ts';
import { byteplus } from './byteplus.ts';
import { dashscope } from './dashscope.ts';
import { type AdapterName, isAdapter } from './dialects.ts';
import { fal } from './fal.ts';
import { gemini } from './gemini.ts';
import { geminiVeo } from './gemini-veo.ts';
import { kling } from './kling.ts';
import { luma } from './luma.ts';
import { minimax } from './minimax.ts';
import { openaiVideos } from './openai-videos.ts';
import type { VideoProvider } from './provider.ts';
import { replicate } from './replicate.ts';
import { runway } from './runway.ts';
import { sandboxProvider } from './sandbox.ts';
import { wavespeed } from './wavespeed.ts';
import { xai } from './xai.ts';

const providers: Readonly<Record<AdapterName, VideoProvider>> = {
  sandbox: sandboxProvider,
  'openai-videos': openaiVideos,
  fal,
  replicate,
  gemini,
  'gemini-veo': geminiVeo,
  bedrock,
  byteplus,
  runway,
  xai,
  minimax,
  dashscope,
  kling,
  luma,
  wavespeed,
};

/** @throws Error for a name that no adapter has */
export function providerOf(adapter: string): VideoProvider {
  if (!isAdapter(adapter)) throw new Error(`There is no adapter for the provider ${adapter}`);
  return providers[adapter];
}
