import type { Manners } from '../../functions/videos/providers/manners.ts';
import type { ProviderState, VideoProvider } from '../../functions/videos/providers/provider.ts';

/** A provider that remembers its jobs. Each kind can be asked in another way: by a token, by our id, or not at all. */
export class RememberingProvider implements VideoProvider {
  readonly name = 'remembering';
  readonly manners: Manners;
  /** How many jobs it has accepted. Each of them is billed. */
  works = 0;
  #polls = 0;

  constructor(resubmit: Manners['resubmit']) {
    this.manners = { resubmit };
  }

  async submit({ id }: { readonly id: string }) {
    const isRepetition = this.manners.resubmit === 'token' && this.works > 0;
    if (!isRepetition) this.works++;
    return { ref: { id }, upstreamId: `up-${id}` };
  }

  async lookup(id: string) {
    return this.works === 0 ? ('absent' as const) : { ref: { id }, upstreamId: `up-${id}` };
  }

  async poll(): Promise<ProviderState> {
    this.#polls++;
    return this.#polls < 3
      ? { state: 'running', progress: 30 * this.#polls }
      : { state: 'succeeded', outputs: [{ kind: 'bytes', body: someBytes() }] };
  }
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('video');
}
