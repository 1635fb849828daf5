import { beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { hashKey, isWellFormedKey } from '../../functions/keys/key-format.ts';
import { oidcSettingsSchema, scopeOfClaims } from '../../functions/keys/oidc-settings.ts';
import { ensurePerson, keyOfPerson } from '../../functions/keys/people.ts';
import { micros } from '../../functions/money/micros.ts';
import { NOW, startKeys } from './key-world.ts';

const ISSUER = 'https://login.example.com';
const settings = (grants: unknown) =>
  v.parse(oidcSettingsSchema, { issuer: ISSUER, clientId: 'genway', grants });

describe('the scope of a person', () => {
  const { grants } = settings([
    { claim: 'groups', value: 'admins' },
    { claim: 'groups', value: 'editors', scope: { operations: ['read', 'generate'] } },
    { claim: 'email', value: 'ada@example.com', scope: { operations: ['read'] } },
    { claim: 'constructor', value: 'x' },
  ]);
  const unlimited = { workspaces: null, operations: null, networks: null };

  test.each([
    ['a list that contains the value', { groups: ['staff', 'admins'] }, unlimited],
    ['the value itself', { groups: 'admins' }, unlimited],
    ['the first grant that fits', { groups: ['editors', 'admins'] }, unlimited],
    ['what the grant allows', { groups: ['editors'] }, { ...unlimited, operations: ['read', 'generate'] }],
    [
      'a verified address',
      { email: 'ada@example.com', email_verified: true },
      { ...unlimited, operations: ['read'] },
    ],
  ])('follows from %s', (_, claims, scope) => {
    expect(scopeOfClaims({ sub: 'ada', ...claims }, { grants })).toEqual(scope);
  });

  test.each([
    ['no claim', {}],
    ['another value', { groups: ['admin', 'Admins', ' admins'] }],
    ['a value within another', { groups: 'admins,staff' }],
    ['an address that nobody has verified', { email: 'ada@example.com' }],
    ['an address that is said to be unverified', { email: 'ada@example.com', email_verified: false }],
    ['an address that is verified in words', { email: 'ada@example.com', email_verified: 'true' }],
    ['an object', { groups: { admins: true } }],
  ])('is none for %s', (_, claims) => {
    expect(() => scopeOfClaims({ sub: 'ada', ...claims }, { grants })).toThrow(
      'You do not have access to this deployment',
    );
  });
});

test.each([
  ['no grants', { grants: [] }],
  ['an issuer that is no address', { issuer: 'login' }],
  [
    'a group of operations that there is not',
    { grants: [{ claim: 'a', value: 'b', scope: { operations: ['all'] } }] },
  ],
  ['a misspelt limit', { grants: [{ claim: 'a', value: 'b', scope: { workspace: ['x'] } }] }],
  [
    'an empty list, which might mean none or all',
    { grants: [{ claim: 'a', value: 'b', scope: { operations: [] } }] },
  ],
  ['an empty value', { grants: [{ claim: 'a', value: '' }] }],
  ['no network', { grants: [{ claim: 'a', value: 'b', scope: { networks: ['here'] } }] }],
])('settings are refused with %s', (_, wrong) => {
  const right = { issuer: ISSUER, clientId: 'genway', grants: [{ claim: 'a', value: 'b' }] };
  expect(v.is(oidcSettingsSchema, right)).toBe(true);
  expect(v.is(oidcSettingsSchema, { ...right, ...wrong })).toBe(false);
});

describe('the key of a person', () => {
  let it: Awaited<ReturnType<typeof startKeys>>;
  beforeEach(async () => {
    it = await startKeys();
  });
  const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
  const person = keyOfPerson(ada, ISSUER, NOW);
  const ensure = (key = person) => ensurePerson(key, { keys: it.stores.keys, lives: it.lives });

  test('has no secret: nothing that can be sent as a key has its hash', () => {
    const text = JSON.stringify(['person', ISSUER, 'ada']);
    expect(person.hash).toBe(hashKey(text));
    expect(isWellFormedKey(text)).toBe(false);
  });

  test('is another for each issuer and person, however they are spelt', () => {
    const hashes = [
      keyOfPerson({ sub: 'ada' }, ISSUER, NOW),
      keyOfPerson({ sub: 'Ada' }, ISSUER, NOW),
      keyOfPerson({ sub: 'ada' }, `${ISSUER}/`, NOW),
      keyOfPerson({ sub: '","ada' }, ISSUER, NOW),
    ].map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test.each([
    [ada, 'Ada Lovelace'],
    [{ sub: 'ada', name: ' ', email: 'ada@example.com' }, 'ada@example.com'],
    [{ sub: 'ada', name: { first: 'Ada' } }, 'ada'],
    [{ sub: 'ada', name: 'x'.repeat(300) }, 'x'.repeat(100)],
  ])('is named as the issuer names them: %j', (claims, name) => {
    expect(keyOfPerson(claims, ISSUER, NOW).name).toBe(name);
  });

  test('is made once, also by two sign-ins at the same time', async () => {
    const both = await Promise.all([ensure(), ensure()]);
    expect(both.map(({ hash }) => hash)).toEqual([person.hash, person.hash]);
    expect(await ensure()).toEqual(await it.stores.keys.find(person.hash));
    expect(await it.around(person)).toMatchObject({ lists: { enabled: [true, true] } });
  });

  test.each([{ disabled: true }, { expires_at: NOW.toISOString() }])(
    'keeps them out when it has %j',
    async (end) => {
      await ensure();
      await it.lives.change(person.hash, end, NOW);
      await expect(ensure()).rejects.toThrow('Your access has been disabled or has expired');
    },
  );

  test('is made again, with the limits that it had, when they sign in after somebody has deleted it', async () => {
    await ensure();
    const at = NOW.toISOString();
    const limits = { daily: { micros: micros(5), created_at: at, updated_at: at } };
    await it.lives.change(person.hash, { disabled: true }, NOW, () => ({ limits, countsByok: false }));
    expect(await it.lives.end(person.hash)).toBe(true);
    const both = await Promise.all([ensure(), ensure()]);
    expect(both).toEqual([person, person]);
    expect(await it.around(person)).toMatchObject({ account: { closed: false, closes_at: null, limits } });
    expect(await ensure()).toEqual(await it.stores.keys.find(person.hash));
  });

  test('cannot be made before there is a workspace', async () => {
    await it.loseWorkspace();
    await expect(ensure()).rejects.toThrow('admin create-management-key');
  });
});
