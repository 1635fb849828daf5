import { KMSClient } from '@aws-sdk/client-kms';
import { answeringWithin, lean, Sha256 } from './client-settings.ts';

export const kms = /* @__PURE__ */ lean(
  /* @__PURE__ */ new KMSClient({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: /* @__PURE__ */ answeringWithin(3_000),
  }),
);
