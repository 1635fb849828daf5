import { SQSClient } from '@aws-sdk/client-sqs';
import { lean } from './lean.ts';
import { Sha256 } from './sha256.ts';
import { answeringWithin } from './time-limits.ts';

export const sqs = /* @__PURE__ */ lean(
  /* @__PURE__ */ new SQSClient({
    maxAttempts: 3,
    sha256: Sha256,
    requestHandler: /* @__PURE__ */ answeringWithin(3_000),
  }),
);
