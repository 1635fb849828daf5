import { suggestion } from '../../http/did-you-mean.ts';
import { NotFound } from '../../http/errors.ts';
import { type ProvidersSettings, settingsOf } from '../providers/provider-settings.ts';
import { allModels, findModel, type VideoModel } from './catalogue.ts';

/** The models that a submit can name: those whose provider the stage offers and still runs them. */
export function offeredModels(providers: ProvidersSettings, now: Date): VideoModel[] {
  return allModels().filter((model) => whyNotOffered(model, providers, now) === undefined);
}

/** @throws NotFound with a hint */
export function offeredModel(id: string, providers: ProvidersSettings, now: Date): VideoModel {
  const model = findModel(id);
  const why =
    model === undefined
      ? `there is no "${id}"${hint(id, providers, now)}`
      : whyNotOffered(model, providers, now);
  if (model !== undefined && why === undefined) return model;
  throw new NotFound(`model: ${why}; GET /api/v1/videos/models lists those that can be used`, {
    metadata: { path: 'model' },
  });
}

function hint(id: string, providers: ProvidersSettings, now: Date): string {
  const ids = offeredModels(providers, now).map((model) => model.id);
  const meant = suggestion(id, ids);
  return meant === undefined ? '' : `, did you mean "${meant}"?`;
}

export function whyNotOffered(
  { id, provider, eol_at }: VideoModel,
  providers: ProvidersSettings,
  now: Date,
): string | undefined {
  if (eol_at !== undefined && now.getTime() >= Date.parse(eol_at)) {
    return `${id} was ended by its vendor on ${eol_at}`;
  }
  if (settingsOf(provider, providers) === undefined) {
    return `${id} is run by ${provider}, which is not configured here`;
  }
  return undefined;
}
