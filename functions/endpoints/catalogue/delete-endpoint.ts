import { json } from '../../http/response.ts';
import { type OfferChanges, remove } from '../../videos/catalogue/stage-catalogue.ts';
import { routes } from './definition.ts';
import { findRow, offerHandler } from './offer-handler.ts';

/** Jobs that its provider has taken go on; the others go elsewhere or fail. */
export const handler = offerHandler(
  routes['delete-endpoint'],
  (_call, id) => ({
    action: 'remove',
    edit: (changes: OfferChanges) => {
      findRow(id, changes);
      return remove(changes, id);
    },
  }),
  () => json(200, { deleted: true }),
);
