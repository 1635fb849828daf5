import { ulid } from 'ulid';
import {
  type Json,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
} from '../../../../functions/videos/providers/provider.ts';
import { sandboxProvider } from '../../../../functions/videos/providers/sandbox.ts';

export const START = new Date('2026-11-21T10:00:00.000Z');

const inputs: ProviderContext['inputs'] = {
  link: () => Promise.reject(new Error('the sandbox links to no inputs')),
  read: async (url) => {
    if (url === 'gw_file_gone') throw new ProviderError('refused', 'the file has been deleted');
    return { mediaType: 'image/png', bytes: new Uint8Array() };
  },
};

/** A context whose clock is this many seconds after `START`. */
export function contextAt(seconds: number, signal = new AbortController().signal): ProviderContext {
  return {
    now: () => new Date(START.getTime() + seconds * 1000),
    signal,
    settings: { credential: 'none' },
    inputs,
    fetch: () => Promise.reject(new Error('the sandbox needs no network')),
  };
}

export function providerJob(change: Partial<ProviderJob> = {}): ProviderJob {
  return {
    id: `vid_${ulid(START.getTime()).toLowerCase()}`,
    upstreamModel: 'clip-1',
    prompt: 'A red fox in the snow',
    width: 128,
    height: 72,
    resolution: '360p',
    aspectRatio: '16:9',
    dialect: {},
    durationSeconds: 4,
    seed: 7,
    generateAudio: false,
    frameImages: [],
    inputReferences: [],
    options: {},
    ...change,
  };
}

/** The ref of a job that was accepted at `START`, as a store returns it. */
export async function acceptedRef(
  options: { readonly [key: string]: Json } = {},
  change: Partial<ProviderJob> = {},
) {
  const { ref } = await sandboxProvider.submit(providerJob({ ...change, options }), contextAt(0));
  return JSON.parse(JSON.stringify(ref));
}
