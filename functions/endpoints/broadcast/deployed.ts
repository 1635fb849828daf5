import { dynamo } from '../../aws/dynamo.ts';
import { kms } from '../../aws/kms.ts';
import { DestinationStore } from '../../broadcast/destination-store.ts';
import type { PostSpanPorts } from '../../broadcast/post-span.ts';
import { headerOpener } from '../../broadcast/sealed-headers.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';

export const destinationStore = () => new DestinationStore(dynamo, setting('broadcastTable'));

/** For functions that may send traces. */
export const postSpanPorts = (fetch: typeof globalThis.fetch): PostSpanPorts => ({
  fetch,
  now: systemClock,
  openHeaders: headerOpener(kms, setting('providerKeysKmsKey')),
});
