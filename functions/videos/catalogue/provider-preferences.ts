import * as v from 'valibot';
import { jsonObject, text } from '../../http/validation.ts';
import { usdAmount } from '../../money/micros.ts';
import type { Json } from '../providers/provider.ts';

const MOST_BYTES = 32 * 1024;
/** DynamoDB's smallest magnitude. The largest is that of integers which JavaScript keeps exactly. */
const SMALLEST = 1e-130;

const storableNumber = v.pipe(
  v.number(),
  v.check(
    (number) => number === 0 || (Math.abs(number) >= SMALLEST && Math.abs(number) <= Number.MAX_SAFE_INTEGER),
    `must be 0 or have a magnitude from ${SMALLEST} to ${Number.MAX_SAFE_INTEGER}`,
  ),
);

const memberName = v.pipe(text(), v.nonEmpty('the name of a member must not be empty'));

/** The schema is chosen by the value's type, not by trial, so that an error names the very member that is wrong. */
const json: v.GenericSchema<Json> = v.lazy((input) => {
  if (typeof input === 'string') return text();
  if (typeof input === 'number') return storableNumber;
  if (Array.isArray(input)) return v.array(json);
  if (typeof input === 'object' && input !== null) return v.record(memberName, json);
  return v.union([v.null(), v.boolean()]);
});

/**
 * `provider.options`: settings for each provider, passed on unchanged. The row that keeps them with the job sets their
 * limits.
 */
const providerOptions = v.pipe(
  jsonObject(
    v.pipe(
      v.record(memberName, jsonObject(v.record(memberName, json))),
      v.description(
        'Settings for each provider, at most 32 KiB of JSON in total. Genway passes to each provider only its own settings',
      ),
    ),
  ),
  v.check(
    (options) => Buffer.byteLength(JSON.stringify(options)) <= MOST_BYTES,
    `must be at most ${MOST_BYTES} bytes of JSON`,
  ),
);

export const PROVIDER_SORTS = ['price', 'throughput', 'latency', 'exacto'] as const;
export type ProviderSort = (typeof PROVIDER_SORTS)[number];

const MOST_NAMES = 100;
const LIST_RULE = `must be a list of at most ${MOST_NAMES} provider names or endpoint IDs`;
const names = v.pipe(v.array(text(), LIST_RULE), v.maxLength(MOST_NAMES, LIST_RULE));

const usd = usdAmount('zero', 'Maximum cost of the job in USD, with at most 6 decimals');

/** An amount, or the `request` amount among the kinds of prices that public clients can name. */
const maxPrice = v.union(
  [
    usd,
    v.pipe(
      jsonObject(v.object({ request: usd })),
      v.transform(({ request }) => request),
    ),
  ],
  'must be the maximum cost of the job in USD, such as 1.5',
);

/** `provider` of a submit: who may serve it, in which order, and what is passed on to the provider. */
export const providerPreferences = v.object({
  order: v.optional(
    v.pipe(
      names,
      v.description(
        'Providers or endpoint IDs to try first, in this order. Regardless of `order`, shared accounts come after your own provider keys, but before those with `is_fallback`. Resting providers come last',
      ),
    ),
    [],
  ),
  only: v.exactOptional(
    v.pipe(names, v.description('The only providers, or endpoint IDs, that may serve the job. Default: all')),
  ),
  ignore: v.optional(
    v.pipe(names, v.description('Providers or endpoint IDs that may not serve the job')),
    [],
  ),
  sort: v.exactOptional(
    v.pipe(
      v.picklist(PROVIDER_SORTS),
      v.description(
        'How to sort endpoints that `order` does not rank: by price, seconds of video per second of waiting (`throughput`), waiting time (`latency`) or quality (`exacto`). Defaults to `default_provider_sort` of the workspace or, if that is null, to `price`',
      ),
    ),
  ),
  allow_fallbacks: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'Whether Genway may try another endpoint or account if the first does not accept the job',
      ),
    ),
    true,
  ),
  max_price: v.exactOptional(v.pipe(maxPrice, v.description('Maximum cost of the job, in USD'))),
  options: v.optional(providerOptions, {}),
});
export type ProviderPreferences = v.InferOutput<typeof providerPreferences>;
