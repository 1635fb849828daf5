import { TEST_EVENT } from '../webhooks/events/event.ts';
import { componentOf, EVENT_HEADERS, EVENT_SCHEMAS, JOB_EVENTS, OPTIONAL_EVENT_HEADERS } from './events.ts';
import { examples } from './examples.ts';
import { jsonSchema } from './json-schema.ts';

/**
 * The events that this service sends, by type. Components, to which `webhooks` refers: some generators of clients would
 * make operations of them, which do not compile.
 */
export function webhookItems() {
  const ends = Object.entries(JOB_EVENTS).map(([type, says]) => [componentOf(type), item(type, says)]);
  const test = item(TEST_EVENT, 'Someone tests the webhook of a workspace.');
  return Object.fromEntries([...ends, [componentOf(TEST_EVENT), test]]);
}

export const webhooks = () =>
  Object.fromEntries(
    Object.keys(EVENT_SCHEMAS).map((type) => [type, { $ref: `#/components/pathItems/${componentOf(type)}` }]),
  );

function item(type: string, says: string) {
  const schema = EVENT_SCHEMAS[type];
  if (schema === undefined) throw new Error(`${type} has no schema`);
  return {
    post: {
      operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary: `Receive ${type}`,
      description: says,
      tags: ['Webhooks'],
      security: [],
      parameters: [...headers(EVENT_HEADERS, true), ...headers(OPTIONAL_EVENT_HEADERS, false)],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(schema), example: examples.events[type] } },
      },
      responses: {
        '2XX': { description: 'The event is delivered. After any other status, Genway tries again.' },
        '410': {
          description: 'Genway stops delivering this event, and sends no more events to this address.',
        },
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
