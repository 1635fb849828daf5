import { describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/http/routes.ts';
import { operations } from '../../functions/openapi/operations.ts';
import { refusalsOf } from '../../functions/openapi/refusals.ts';
import { everyStatus } from './every-status.ts';

const TABLES = ['upload-file', 'create-workspace', 'submit-video'] as const;

describe.each(TABLES)('%s', (id) => {
  const rows = everyStatus[id] ?? {};

  test('is described with the statuses of its table, and no other', () => {
    const { answers } = operations[id];
    const described = [...Object.keys(answers).map(Number), ...refusalsOf(routes[id], operations[id])];
    expect(described.toSorted()).toEqual(Object.keys(rows).map(Number).toSorted());
  });

  // The client that sends these requests also compares each answer with the description.
  test.each(Object.entries(rows))('answers %s', async (status, ask) => {
    expect((await ask()).status).toBe(Number(status));
  });
});
