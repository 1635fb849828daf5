import * as v from 'valibot';
import { providerBaseUrlsSchema } from '../../../functions/files/providers/base-urls.ts';
import { shareSchema } from '../../../functions/money/discount.ts';
import { wireNamesSchema } from '../../../functions/wire-names.ts';
import * as field from '../fields.ts';
import { told } from '../told.ts';
import { videoSettingsSchema } from '../video-settings.ts';

export const providers = {
  videos: v.optional(told(videoSettingsSchema, 'What the stage offers.'), {}),
  dataDiscount: v.optional(
    told(
      shareSchema,
      'The share that is taken off the prices of workspaces with `is_data_discount_logging_enabled`: 0.1 is a tenth. Jobs on provider keys of their own cost what they cost.',
    ),
    0,
  ),
  providerBaseUrls: v.optional(
    told(
      providerBaseUrlsSchema,
      'Where files with `provider=` go: another address than the vendors’ own must be public, or an allowed host.',
    ),
    {},
  ),
  wireNames: v.optional(
    told(wireNamesSchema, '`openrouter`: webhooks carry that service’s signature and idempotency key too.'),
    'native',
  ),
  allowedPrivateHosts: v.optional(
    told(
      v.array(field.hostEntry),
      'Hosts that webhooks and result downloads may reach although they are not public https: for your own receivers in a closed test. Each entry opens that host to every caller.',
    ),
    [],
  ),
};
