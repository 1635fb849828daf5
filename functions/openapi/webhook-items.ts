import { TEST_EVENT } from '../webhooks/events/event.ts';
import { EVENT_HEADERS, EVENT_SCHEMAS, JOB_EVENTS, OPTIONAL_EVENT_HEADERS } from './events.ts';
import { examples } from './examples.ts';
import { jsonSchema } from './json-schema.ts';

/** The events that this service sends, by type. */
export function webhooks() {
  const ends = Object.entries(JOB_EVENTS).map(([type, says]) => [type, item(type, says)]);
  const test = item(TEST_EVENT, 'Somebody is testing an address.');
  return Object.fromEntries([...ends, [TEST_EVENT, test]]);
}

function item(type: string, says: string) {
  const schema = EVENT_SCHEMAS[type];
  if (schema === undefined) throw new Error(`${type} has no schema`);
  return {
    post: {
      operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary: says,
      tags: ['Webhooks'],
      security: [],
      parameters: [...headers(EVENT_HEADERS, true), ...headers(OPTIONAL_EVENT_HEADERS, false)],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(schema), example: examples.events[type] } },
      },
      responses: {
        '2XX': { description: 'You have it. Anything else, and it comes again.' },
        '410': { description: 'Send no more of this event, and no more to this address.' },
      },
    },
  };
}

const headers = (described: Readonly<Record<string, string>>, required: boolean) =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  }));
