import { useState } from 'preact/hooks';
import { type SendOnce, sendOnce } from './idempotency.ts';

/** For one form: whoever opens it anew and fills it in alike wants the same once more. */
export function useSendOnce(): SendOnce {
  const [send] = useState(() => sendOnce(() => crypto.randomUUID()));
  return send;
}
