import { SQSClient } from '@aws-sdk/client-sqs';
import { answeringWithin, lean, Sha256 } from './client-settings.ts';

export const sqs = /* @__PURE__ */ lean(
  /* @__PURE__ */ new SQSClient({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: /* @__PURE__ */ answeringWithin(3_000),
  }),
);
