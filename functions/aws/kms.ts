import { KMSClient } from '@aws-sdk/client-kms';
import { Sha256 } from './sha256.ts';
import { answeringWithin } from './time-limits.ts';
import { unlogged } from './unlogged.ts';

export const kms = /* @__PURE__ */ unlogged(
  /* @__PURE__ */ new KMSClient({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: /* @__PURE__ */ answeringWithin(3_000),
  }),
);
