import { describe, expect, test } from '@jest/globals';
import { operations, routes } from '../../functions/endpoints/definitions.ts';
import { refusalsOf } from '../../functions/openapi/refusals.ts';
import { everyStatus } from './every-status.ts';

const TABLES = ['upload-file', 'create-workspace', 'submit-video'] as const;

describe.each(TABLES)('%s', (id) => {
  const rows = everyStatus[id] ?? {};

  test('is described with the statuses of its table, and no other', () => {
    const operation = operations()[id];
    const described = [...Object.keys(operation.answers).map(Number), ...refusalsOf(routes[id], operation)];
    expect(described.toSorted()).toEqual(Object.keys(rows).map(Number).toSorted());
  });

  // The client that sends these requests also compares each answer with the description.
  test.each(Object.entries(rows))('answers %s', async (status, ask) => {
    expect((await ask()).status).toBe(Number(status));
  });
});
