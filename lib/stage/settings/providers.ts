import * as v from 'valibot';
import { providerBaseUrlsSchema } from '../../../functions/files/providers/file-provider.ts';
import { wireNamesSchema } from '../../../functions/http/compatibility.ts';
import { shareSchema } from '../../../functions/money/micros.ts';
import { catalogueSchema } from '../../../functions/videos/catalogue/catalogue.ts';
import { offerCacheSchema } from '../../../functions/videos/catalogue/offer.ts';
import { adapterNames, isAdapter, offerFault } from '../../../functions/videos/providers/dialects.ts';
import { adapterOf, providersSchema } from '../../../functions/videos/providers/provider-settings.ts';
import * as field from './fields.ts';
import { told } from './fields.ts';

/**
 * The providers that a stage offers, how to reach each, and the catalogue rows that its deployer adds or, by the id of
 * an existing row, replaces.
 */
export const videoSettingsSchema = v.pipe(
  v.strictObject({
    providers: v.optional(
      v.pipe(
        providersSchema,
        v.check(
          (providers) => Object.keys(providers).every((name) => isAdapter(adapterOf(name, providers))),
          `each must be one of ${adapterNames.join(', ')}, or name one of these as its adapter`,
        ),
      ),
      {},
    ),
    models: v.optional(catalogueSchema, []),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { providers, models } = dataset.value;
    for (const model of models) {
      const fault = offerFault(model, providers);
      if (fault !== undefined) addIssue({ message: `models: ${model.id} ${fault}` });
    }
  }),
);

export const providers = {
  videos: v.optional(
    told(
      videoSettingsSchema,
      'The providers and models that the stage offers. See [the settings of a provider](routing.md#the-settings-of-a-provider).',
    ),
    {},
  ),
  endpointCacheSeconds: v.optional(
    told(
      offerCacheSchema,
      'Maximum number of seconds until every function uses a change to an endpoint, such as a pause. Each instance of a function reads the changes once in this time.',
    ),
    30,
  ),
  dataDiscount: v.optional(
    told(
      shareSchema,
      'The discount on prices for workspaces with `is_data_discount_logging_enabled`, as a fraction: 0.1 means 10 %. Jobs on a workspace’s own provider keys get no discount.',
    ),
    0,
  ),
  providerCallbacks: v.optional(
    told(
      field.callbacks,
      'Whether Genway asks providers that support callbacks to call the stage when a video is finished, so that Genway learns of the end within a second. With `off`, Genway asks none. With `on`, it also asks none if `edge` is `none` and there is no `domain`, because the stage then has no name of its own. Instead, you can set the URL at which providers reach the stage, such as that of a tunnel.',
    ),
    'on',
  ),
  providerBaseUrls: v.optional(
    told(
      providerBaseUrlsSchema,
      'The base URLs of the Files APIs, for files with `provider=`. A URL other than the vendor’s own must be public, or `allowedPrivateHosts` must contain its host.',
    ),
    {},
  ),
  wireNames: v.optional(
    told(
      wireNamesSchema,
      'With `openrouter`, file objects have OpenRouter’s values of `_shape`, and webhooks also carry OpenRouter’s signature and idempotency key.',
    ),
    'native',
  ),
  allowedPrivateHosts: v.optional(
    told(
      v.array(field.hostEntry),
      'Hosts that Genway may call although they are not public or not https, such as receivers of webhooks in a closed test. Each entry opens that host to every caller. Must be empty in `prod`.',
    ),
    [],
  ),
};
