import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Principal } from '../../functions/http/call.ts';
import { NotFound } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { workspaceId } from '../../functions/http/validation.ts';
import {
  actingWorkspace,
  findWorkspace,
  lookUp,
  namedWorkspace,
} from '../../functions/workspaces/find-workspace.ts';

const anybody = { kind: 'management', workspaceId: '', scope: UNLIMITED } as const;

const OWN = 'aaaaaaaa-0000-4000-8000-00000000000a';
const OTHER = 'bbbbbbbb-0000-4000-8000-00000000000b';
const NOWHERE = 'cccccccc-0000-4000-8000-00000000000c';
const rows = [
  { id: OWN, slug: 'studio' },
  { id: OTHER, slug: 'other' },
];
const workspaces = {
  findById: async (id: string) => rows.find((row) => row.id === id),
  findBySlug: async (slug: string) => rows.find((row) => row.slug === slug),
};
const principal = (kind: Principal['kind']): Principal => ({
  keyHash: 'k',
  kind,
  workspaceId: OWN,
  creator: 'k',
  rateLimits: {},
  scope: UNLIMITED,
  endsAt: null,
});
const act = (kind: Principal['kind'], named?: string) => actingWorkspace(principal(kind), named, workspaces);

describe('a key acts', () => {
  test.each([
    ['normal', undefined, OWN],
    ['normal', OWN, OWN],
    ['normal', OWN.toUpperCase(), OWN],
    ['normal', 'studio', OWN],
    ['management', undefined, OWN],
    ['management', OTHER, OTHER],
    ['management', OTHER.toUpperCase(), OTHER],
    ['management', 'other', OTHER],
  ] as const)('of kind %s that names %s in %s', async (kind, named, id) => {
    expect(await act(kind, named)).toBe(id);
  });

  test.each([
    ['normal', OTHER, 'has no access'],
    ['normal', NOWHERE, 'has no access'],
    ['management', NOWHERE, 'has no access'],
    ['normal', 'other', 'must be the ID'],
    ['normal', 'nobody', 'must be the ID'],
    ['management', 'nobody', 'must be the ID'],
  ] as const)('of kind %s not in %s: %s', async (kind, named, message) => {
    await expect(act(kind, named)).rejects.toThrow(message);
  });

  test('in no other workspace, with the operation’s own refusal', async () => {
    const refusal = () => new NotFound('none');
    const acting = actingWorkspace(principal('normal'), OTHER, workspaces, refusal);
    await expect(acting).rejects.toThrow(NotFound);
  });
});

test('a slug that a management key names is looked up', async () => {
  expect(await namedWorkspace(anybody, NOWHERE.toUpperCase(), workspaces)).toBe(NOWHERE);
  expect(await namedWorkspace(anybody, 'other', workspaces)).toBe(OTHER);
  await expect(namedWorkspace(anybody, 'nobody', workspaces)).rejects.toThrow(
    'workspace_id: no such workspace',
  );
});

// DynamoDB refuses to read a key of more than 2,048 bytes.
describe.each(['a'.repeat(51), 'a'.repeat(3_000), 'Studio', 'ä', 'a b', 'a--b', '../x', ''])(
  '%j cannot be a slug',
  (name) => {
    const read = async () => {
      throw new Error('The table was asked');
    };
    const table = { findById: read, findBySlug: read };

    test('so nothing has it', async () => {
      expect(await lookUp(table, name)).toBeUndefined();
      await expect(findWorkspace(anybody, table, name)).rejects.toThrow(NotFound);
      await expect(namedWorkspace(anybody, name, table)).rejects.toThrow('no such workspace');
      await expect(actingWorkspace(principal('normal'), name, table)).rejects.toThrow('must be the ID');
    });
  },
);

test.each([
  ['studio', true],
  [OWN, true],
  ['', false],
  ['a b', false],
  ['a--b', false],
  ['../x', false],
])('%j is a name: %s', (name, is) => {
  expect(v.is(workspaceId, name)).toBe(is);
});
