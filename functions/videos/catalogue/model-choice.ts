import * as v from 'valibot';
import type { RequestHead } from '../../http/call.ts';
import { wholeNumber } from '../../http/validation.ts';
import { listedModel, modalitiesOf } from './listed-model.ts';
import type { ShownModel } from './model-view.ts';

const list = (says: string) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.description(`${says}. Separate multiple values with commas`),
      v.transform((text) => text.split(',').map((each) => each.trim().toLowerCase())),
    ),
  );

/** Every order that clients of this path know. A model without the figure that an order asks for comes last. */
const SORTS = [
  'newest',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'latency-low-to-high',
  'most-popular',
  'top-weekly',
  'context-high-to-low',
  'throughput-high-to-low',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
  'design-arena-elo-high-to-low',
] as const;

const age = (says: string) => v.exactOptional(wholeNumber(0, 100_000, says));

/** The query of `GET /models/count`. */
export const modelCountQuery = {
  output_modalities: list(
    'Kinds of output. A list with neither `video` nor `all` matches no model. Default: all models',
  ),
};

/** The query of `GET /models`. */
export const modelListQuery = {
  ...modelCountQuery,
  input_modalities: list(
    'Only models that accept at least one of the given kinds of input: `text`, `image`, `audio` or `video`',
  ),
  supported_parameters: list('Only models whose `supported_parameters` include all of the given fields'),
  model_authors: list(
    'Only models by one of the given authors. The author is the part of the ID before the slash',
  ),
  providers: list('Only models that at least one of the given providers serves'),
  q: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(200, 'must be at most 200 characters'),
      v.description('Only models whose name or ID contains this text'),
    ),
  ),
  min_age_days: age('Only models whose `created` is at least this many days ago'),
  max_age_days: age('Only models whose `created` is at most this many days ago'),
  sort: v.exactOptional(
    v.pipe(
      v.picklist(SORTS),
      v.description(
        'Sort order. `newest`: by `created`. `pricing-low-to-high` and `pricing-high-to-low`: by `duration_seconds` of `pricing_skus`. `latency-low-to-high`: by the lowest `latency_p50` of the endpoints in `GET /videos/models`. All other values have no effect. Default: the order of the catalogue',
      ),
    ),
  ),
  offset: v.optional(wholeNumber(0, 1_000_000, 'Number of items to skip'), '0'),
  limit: v.exactOptional(wholeNumber(1, 1000, 'Maximum number of items on a page. Default: all')),
};

const { output_modalities, sort, offset, limit } = modelListQuery;
/** The query of `GET /models/user`. */
export const ownModelsQuery = { output_modalities, sort, offset, limit };

type Asked = v.InferOutput<v.ObjectSchema<typeof modelListQuery, undefined>>;
export type ModelChoice = Omit<Asked, 'offset' | 'limit'>;

/** A page of the models that a query asks for, with the address of the next. */
export function pageOfModels(
  models: readonly ShownModel[],
  { offset, limit, ...asked }: Asked,
  call: Pick<RequestHead, 'pattern' | 'query'>,
  now: Date,
) {
  const chosen = chosenModels(models, asked, now);
  const end = limit === undefined ? chosen.length : offset + limit;
  const next = end < chosen.length ? nextPage(call, end) : null;
  return {
    data: chosen.slice(offset, end).map(listedModel),
    links: { next },
    total_count: chosen.length,
  };
}

/** A path, because the answer may be kept for callers who reach the stage elsewhere. */
function nextPage({ pattern, query }: Pick<RequestHead, 'pattern' | 'query'>, offset: number): string {
  const given = Object.entries({ ...query, offset: String(offset) });
  const asked = new URLSearchParams();
  for (const [name, value] of given) if (value !== undefined) asked.set(name, value);
  return `/api/v1${pattern}?${asked}`;
}

/** Whether models of videos are among what is asked for. */
export const asksForVideos = ({
  output_modalities: asked,
}: Pick<ModelChoice, 'output_modalities'>): boolean =>
  asked === undefined || asked.includes('video') || asked.includes('all');

/** The models that a query asks for, in its order. */
export function chosenModels(models: readonly ShownModel[], asked: ModelChoice, now: Date): ShownModel[] {
  if (!asksForVideos(asked)) return [];
  const chosen = models.filter((model) => isChosen(model, asked, now));
  const rank = asked.sort === undefined ? undefined : RANKS[asked.sort];
  return rank === undefined ? chosen : chosen.toSorted((a, b) => rank(a) - rank(b));
}

const DAY_SECONDS = 86_400;

function isChosen(model: ShownModel, asked: ModelChoice, now: Date): boolean {
  const { q = '', min_age_days = 0, max_age_days = Number.POSITIVE_INFINITY } = asked;
  const [author = ''] = model.id.split('/');
  const inputs: readonly string[] = modalitiesOf(model).input_modalities;
  const fields = listedModel(model).supported_parameters;
  const days = (now.getTime() / 1000 - model.created) / DAY_SECONDS;
  const has = `${model.name}\n${model.id}`.toLowerCase();
  return (
    has.includes(q.toLowerCase()) &&
    (asked.model_authors?.includes(author) ?? true) &&
    (asked.providers?.some((name) => model.endpoints.some(({ provider }) => provider === name)) ?? true) &&
    (asked.input_modalities?.some((kind) => inputs.includes(kind)) ?? true) &&
    (asked.supported_parameters?.every((name) => fields.includes(name)) ?? true) &&
    days >= min_age_days &&
    days <= max_age_days
  );
}

const priceOf = ({ pricing_skus: { duration_seconds: price } }: ShownModel) => Number(price);
const latencyOf = ({ endpoints }: ShownModel) =>
  Math.min(...endpoints.map(({ latency_p50 }) => latency_p50 ?? Number.MAX_VALUE));

/** The lowest comes first. */
const RANKS: Readonly<Partial<Record<(typeof SORTS)[number], (model: ShownModel) => number>>> = {
  newest: ({ created }) => -created,
  'pricing-low-to-high': priceOf,
  'pricing-high-to-low': (model) => -priceOf(model),
  'latency-low-to-high': latencyOf,
};
