import { suggestion } from '../../http/did-you-mean.ts';
import { NotFound } from '../../http/errors.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';
import type { Catalogue, VideoModel } from './catalogue.ts';
import type { VideoEndpoint } from './endpoint.ts';

/** The models that a submit can name, each with the endpoints that the stage offers. */
export function offeredModels(catalogue: Catalogue, providers: ProvidersSettings, now: Date): VideoModel[] {
  return catalogue.models
    .map((model) => ({ ...model, endpoints: offeredOf(model, catalogue, providers, now) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** @throws NotFound with a hint */
export function offeredModel(
  id: string,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoModel {
  const model = catalogue.model(id);
  const endpoints = model === undefined ? [] : offeredOf(model, catalogue, providers, now);
  if (endpoints.length > 0) return { id, endpoints };
  const why = model?.endpoints
    .map((endpoint) => whyNotOffered(endpoint, catalogue, providers, now))
    .join('; ');
  throw new NotFound(
    `model: ${why ?? `there is no "${id}"${hint(id, catalogue, providers, now)}`}; GET /api/v1/videos/models lists those that can be used`,
    { metadata: { path: 'model' } },
  );
}

/** The caller may mean an endpoint's own id as well as a model's. */
function hint(id: string, catalogue: Catalogue, providers: ProvidersSettings, now: Date): string {
  const offered = offeredModels(catalogue, providers, now);
  const ids = offered.flatMap((model) => [model.id, ...model.endpoints.map((endpoint) => endpoint.id)]);
  const meant = suggestion(id, ids);
  return meant === undefined ? '' : `, did you mean "${meant}"?`;
}

const offeredOf = (
  { endpoints }: VideoModel,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  now: Date,
): VideoEndpoint[] =>
  endpoints.filter((endpoint) => whyNotOffered(endpoint, catalogue, providers, now) === undefined);

export function whyNotOffered(
  { id, provider, eol_at }: VideoEndpoint,
  catalogue: Pick<Catalogue, 'isPaused'>,
  providers: ProvidersSettings,
  now: Date,
): string | undefined {
  if (eol_at !== undefined && now.getTime() >= Date.parse(eol_at)) {
    return `${id} was ended by its vendor on ${eol_at}`;
  }
  if (settingsOf(provider, providers) === undefined) {
    return `${id} is run by ${provider}, which is not configured here`;
  }
  return catalogue.isPaused(id) ? `${id} is paused` : undefined;
}
