import { SQSClient } from '@aws-sdk/client-sqs';

export const sqs = /* @__PURE__ */ new SQSClient({ maxAttempts: 3 });
