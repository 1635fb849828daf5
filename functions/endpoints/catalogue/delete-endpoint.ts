import { json } from '../../http/response.ts';
import { type EndpointChanges, remove } from '../../videos/catalogue/stage-catalogue.ts';
import { routes } from './definition.ts';
import { endpointHandler, findRow } from './endpoint-handler.ts';

/** Jobs that its provider has taken go on; the others go elsewhere or fail. */
export const handler = endpointHandler(
  routes['delete-endpoint'],
  (_call, id) => ({
    action: 'remove',
    edit: (changes: EndpointChanges) => {
      findRow(id, changes);
      return remove(changes, id);
    },
  }),
  () => json(200, { deleted: true }),
);
