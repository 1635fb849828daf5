import * as v from 'valibot';
import { catalogueSchema } from '../../functions/videos/catalogue/catalogue.ts';
import { endpointFault } from '../../functions/videos/providers/check-offer.ts';
import { adapterOf, providersSchema } from '../../functions/videos/providers/provider-settings.ts';
import { providerNames } from '../../functions/videos/providers/registry.ts';

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
          (providers) =>
            Object.keys(providers).every((name) => providerNames().includes(adapterOf(name, providers))),
          `each must be one of ${providerNames().join(', ')}, or name one of these as its adapter`,
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
      const fault = endpointFault(model, providers);
      if (fault !== undefined) addIssue({ message: `models: ${model.id} ${fault}` });
    }
  }),
);
