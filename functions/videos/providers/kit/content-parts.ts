import type { ProviderContext, ProviderJob } from '../provider.ts';

/** The prompt and the inputs of a job as the typed parts of one message, a form that several vendors take. */
export async function contentParts(job: ProviderJob, { inputs }: ProviderContext): Promise<object[]> {
  const frames = job.frameImages.map(async ({ frameType, url }) => ({
    type: 'image_url',
    image_url: { url: await inputs.link(url) },
    role: frameType,
  }));
  const references = job.inputReferences.map(async ({ kind, url }) => ({
    type: `${kind}_url`,
    [`${kind}_url`]: { url: await inputs.link(url) },
    role: `reference_${kind}`,
  }));
  return [{ type: 'text', text: job.prompt }, ...(await Promise.all([...frames, ...references]))];
}
