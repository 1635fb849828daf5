import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { planDelete } from './offer-changes.ts';
import { offerHandler } from './offer-handler.ts';

export const handler = offerHandler(
  routes['delete-endpoint'],
  () => ({}),
  planDelete,
  () => json(200, { deleted: true }),
);
