import { jsonBody } from '../../http/call.ts';
import { endpointChangeSchema } from '../../videos/catalogue/offer-view.ts';
import { type EndpointChanges, pause, put } from '../../videos/catalogue/stage-catalogue.ts';
import { routes } from './definition.ts';
import { endpointHandler, findRow, shown } from './endpoint-handler.ts';

export const handler = endpointHandler(
  routes['update-endpoint'],
  (call, id) => {
    const { paused, price_per_second } = jsonBody(call, endpointChangeSchema);
    const edit = (changes: EndpointChanges): EndpointChanges => {
      const row = findRow(id, changes);
      const isPaused = paused ?? changes.paused.includes(id);
      if (price_per_second === undefined) return pause(changes, id, isPaused);
      return put(changes, { ...row, price_per_second }, isPaused);
    };
    const action = price_per_second !== undefined ? 'put' : paused === true ? 'pause' : 'resume';
    return { action, edit };
  },
  shown,
);
