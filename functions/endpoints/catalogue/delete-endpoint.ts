import { json } from '../../http/response.ts';
import { type EndpointChanges, remove } from '../../videos/catalogue/endpoint-changes.ts';
import { endpointHandler, findRow } from './endpoint-handler.ts';

/** Its jobs that a provider has go on; those that none has yet go elsewhere or fail. */
export const handler = endpointHandler(
  'delete-endpoint',
  (_call, id) => ({
    action: 'remove',
    edit: (changes: EndpointChanges) => {
      findRow(id, changes);
      return remove(changes, id);
    },
  }),
  () => json(200, { deleted: true }),
);
