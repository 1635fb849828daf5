import * as v from 'valibot';
import { catalogueSchema } from '../../functions/videos/catalogue/catalogue.ts';
import { providerSettingsSchema } from '../../functions/videos/providers/provider-settings.ts';
import { providerNames, providerOf } from '../../functions/videos/providers/registry.ts';

/**
 * Which providers a stage offers and how it reaches them, and rows that its deployer adds to the catalogue
 * or, by the id of one that is there, puts in its place.
 */
export const videoSettingsSchema = v.strictObject({
  providers: v.optional(
    v.record(
      v.picklist(providerNames(), `must be one of ${providerNames().join(', ')}`),
      providerSettingsSchema,
    ),
    {},
  ),
  models: v.optional(
    v.pipe(
      catalogueSchema,
      v.checkItems(
        ({ provider }) => providerNames().includes(provider),
        ({ input }) => `names a provider without an adapter: ${input.provider}`,
      ),
      v.checkItems(
        (model) =>
          !providerNames().includes(model.provider) ||
          v.is(providerOf(model).dialect ?? v.strictObject({}), model.dialect),
        ({ input }) => `has a dialect that ${input.provider} does not know`,
      ),
    ),
    [],
  ),
});
