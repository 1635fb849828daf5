/** Everything that adapters are built with. */
export { defined } from '../../defined.ts';
export { code, maybe, nonEmpty, percent, text } from '../../upstream/answer-fields.ts';
export { contentParts } from './kit/content-parts.ts';
export { apiKey, authorization } from './kit/credential.ts';
export { framesOf } from './kit/frames.ts';
export type { ProviderReply } from './kit/http-exchange.ts';
export { ended, succeeded } from './kit/outcome.ts';
export { isOwn, ownOr } from './kit/own-address.ts';
export { expectSameJob } from './kit/same-job.ts';
export { type VendorApi, vendorApi } from './kit/vendor-api.ts';
