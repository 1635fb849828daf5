import { KMSClient } from '@aws-sdk/client-kms';
import { answeringWithin } from './time-limits.ts';

export const kms = /* @__PURE__ */ new KMSClient({
  maxAttempts: 3,
  requestHandler: /* @__PURE__ */ answeringWithin(3_000),
});
