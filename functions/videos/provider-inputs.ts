import { fileTypeFromBuffer } from 'file-type';
import { type InputBytes, ProviderError, type ProviderInputs } from './providers/provider.ts';

export interface ProviderInputsOptions {
  /** For addresses that callers name. */
  readonly fetch: typeof fetch;
}

/** What fits a provider's request once it is base64 in JSON, several times over. */
const LARGEST_INPUT = 16 * 1024 * 1024;

export function providerInputs(options: ProviderInputsOptions): ProviderInputs {
  return {
    link: async (url) => url,
    read: async (url) => identified(await download(url, options)),
  };
}

async function download(url: string, options: ProviderInputsOptions): Promise<Uint8Array> {
  try {
    const response = await options.fetch(url);
    if (!response.ok) throw refused(`it answered ${response.status}`);
    return await collect(response.body ?? []);
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw refused('it could not be fetched', cause);
  }
}

async function collect(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > LARGEST_INPUT) throw refused('it is larger than 16 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function identified(bytes: Uint8Array): Promise<InputBytes> {
  const type = await fileTypeFromBuffer(bytes);
  if (type === undefined || !/^(image|audio|video)\//.test(type.mime)) {
    throw refused('it is neither an image nor a sound nor a video');
  }
  return { mediaType: type.mime, bytes };
}

const refused = (why: string, cause?: unknown) =>
  new ProviderError('refused', `An input cannot be used: ${why}`, { cause });
