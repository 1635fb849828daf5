import { KMSClient } from '@aws-sdk/client-kms';
import { lean } from './lean.ts';
import { Sha256 } from './sha256.ts';
import { answeringWithin } from './time-limits.ts';

export const kms = /* @__PURE__ */ lean(
  /* @__PURE__ */ new KMSClient({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: /* @__PURE__ */ answeringWithin(3_000),
  }),
);
