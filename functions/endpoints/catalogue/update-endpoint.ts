import { jsonBody } from '../../http/call.ts';
import { offerChangeSchema } from '../../videos/catalogue/offer-view.ts';
import { type OfferChanges, pause, put } from '../../videos/catalogue/stage-catalogue.ts';
import { routes } from './definition.ts';
import { findRow, offerHandler, shown } from './offer-handler.ts';

export const handler = offerHandler(
  routes['update-endpoint'],
  (call, id) => {
    const { paused, price_per_second } = jsonBody(call, offerChangeSchema);
    const edit = (changes: OfferChanges): OfferChanges => {
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
