import { errorSchema } from '../http/answer-schemas.ts';
import { examples } from './examples.ts';
import { headerReferences } from './headers.ts';
import { jsonSchema } from './json-schema.ts';
import { REFUSALS } from './refusals.ts';

/** One answer for each status of an error, to which all operations refer. */
export function refusalComponents() {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name, says, headers = [] }]) => [
      name,
      {
        description: says,
        headers: headerReferences(['x-request-id', 'x-genway-warning', ...headers]),
        content: {
          'application/json': { schema: jsonSchema(errorSchema), example: examples.refusals[status] },
        },
      },
    ]),
  );
}
