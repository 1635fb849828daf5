import * as v from 'valibot';
import { providerBaseUrlsSchema } from '../../../functions/files/providers/file-provider.ts';
import { shareSchema } from '../../../functions/money/discount.ts';
import { endpointCacheSchema } from '../../../functions/videos/catalogue/stage-catalogue.ts';
import { wireNamesSchema } from '../../../functions/wire-names.ts';
import * as field from '../fields.ts';
import { told } from '../told.ts';
import { videoSettingsSchema } from '../video-settings.ts';

export const providers = {
  videos: v.optional(told(videoSettingsSchema, 'The providers and models that the stage offers.'), {}),
  endpointCacheSeconds: v.optional(
    told(
      endpointCacheSchema,
      'How many seconds pass at most until every function knows a change of an endpoint, such as a pause. Each instance of a function reads the changes once in this time.',
    ),
    30,
  ),
  dataDiscount: v.optional(
    told(
      shareSchema,
      'The discount on prices for workspaces with `is_data_discount_logging_enabled`: 0.1 is a tenth. Jobs on a workspace’s own provider keys get no discount.',
    ),
    0,
  ),
  providerBaseUrls: v.optional(
    told(
      providerBaseUrlsSchema,
      'The addresses for files with `provider=`. An address other than the vendor’s own must be public, or an allowed host.',
    ),
    {},
  ),
  wireNames: v.optional(
    told(
      wireNamesSchema,
      'With `openrouter`, webhooks also carry OpenRouter’s signature and idempotency key.',
    ),
    'native',
  ),
  allowedPrivateHosts: v.optional(
    told(
      v.array(field.hostEntry),
      'Hosts that webhooks and result downloads may call although they are not public https, for your own receivers in a closed test. Each entry opens that host to every caller.',
    ),
    [],
  ),
};
