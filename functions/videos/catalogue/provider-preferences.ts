import * as v from 'valibot';
import { jsonObject, text } from '../../http/validation.ts';
import { usdAmount } from '../../money/micros.ts';
import { providerOptions } from './provider-options.ts';

export const PROVIDER_SORTS = ['price', 'throughput', 'latency', 'exacto'] as const;
export type ProviderSort = (typeof PROVIDER_SORTS)[number];

const MOST_NAMES = 100;
const LIST_RULE = `must be an array of at most ${MOST_NAMES} names of providers or endpoints`;
const names = v.pipe(v.array(text(), LIST_RULE), v.maxLength(MOST_NAMES, LIST_RULE));

const usd = usdAmount('zero');

/** An amount, or the `request` amount among the kinds of prices that public clients can name. */
const maxPrice = v.union(
  [
    usd,
    v.pipe(
      jsonObject(v.object({ request: usd })),
      v.transform(({ request }) => request),
    ),
  ],
  'must be an amount in USD that this request may cost, such as 1.5',
);

/** `provider` of a submit: who may serve it, in which order, and what is passed on to the provider. */
export const providerPreferences = v.object({
  order: v.optional(
    v.pipe(names, v.description('Providers, or ids of endpoints, that come first, in this order')),
    [],
  ),
  only: v.exactOptional(v.pipe(names, v.description('No others may serve it'))),
  ignore: v.optional(v.pipe(names, v.description('These may not serve it')), []),
  sort: v.exactOptional(
    v.pipe(
      v.picklist(PROVIDER_SORTS, `must be one of ${PROVIDER_SORTS.join(', ')}`),
      v.description(
        'The order of those that `order` does not name: by price, by seconds of video for a second of waiting, by waiting, or by quality (`exacto`). Without it, as the workspace says; else by price',
      ),
    ),
  ),
  allow_fallbacks: v.optional(
    v.pipe(v.boolean('must be true or false'), v.description('`false`: the first one alone may serve it')),
    true,
  ),
  max_price: v.exactOptional(v.pipe(maxPrice, v.description('The most that this request may cost, in USD'))),
  options: v.optional(providerOptions, {}),
});
export type ProviderPreferences = v.InferOutput<typeof providerPreferences>;
