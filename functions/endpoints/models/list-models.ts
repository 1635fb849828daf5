import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { query } from '../../http/call.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { listedModel } from '../../videos/catalogue/listed-model.ts';
import { chosenModels, modelListQuery } from '../../videos/catalogue/model-choice.ts';
import { routes } from './definition.ts';

const models = shownModels();

export const handler = publicHandler(routes['list-models'], async (call) => {
  const { offset, limit, ...asked } = query(call, modelListQuery);
  const chosen = chosenModels(await models(), asked, systemClock());
  const end = limit === undefined ? chosen.length : offset + limit;
  const data = chosen.slice(offset, end).map(listedModel);
  const next = end < chosen.length ? nextPage(call.query, end) : null;
  return json(200, { data, links: { next }, total_count: chosen.length }, FOR_A_MINUTE);
});

/** A path, because the answer may be kept for callers who reach the stage elsewhere. */
function nextPage(query: Readonly<Record<string, string | undefined>>, offset: number): string {
  const given = Object.entries({ ...query, offset: String(offset) });
  const asked = new URLSearchParams();
  for (const [name, value] of given) if (value !== undefined) asked.set(name, value);
  return `/api/v1/models?${asked}`;
}
