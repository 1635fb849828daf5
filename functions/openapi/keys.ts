import * as v from 'valibot';
import { countedPageSchema, dataSchema, deletedSchema } from '../http/answer-schemas.ts';
import { keyChangeSchema, keyListQuery, newKeySchema } from '../keys/key.ts';
import { createdKeySchema, shownCurrentKeySchema, shownKeySchema } from '../keys/shown-key.ts';
import { grantSchema, shownCreditsSchema } from '../money/credits.ts';
import {
  newProviderKeySchema,
  providerKeyChangeSchema,
  providerKeyListQuery,
} from '../provider-keys/provider-key.ts';
import { shownProviderKeySchema } from '../provider-keys/shown-provider-key.ts';
import type { Operation } from './operation.ts';

const key = { says: 'The key.', body: dataSchema(shownKeySchema) };
const providerKey = { says: 'The provider key.', body: dataSchema(shownProviderKeySchema) };
const credits = { says: 'What has been granted and used.', body: dataSchema(shownCreditsSchema) };
const deleted = { says: 'It is gone.', body: deletedSchema };

export const keyOperations = {
  'create-key': {
    tag: 'Keys',
    summary: 'Create a key',
    body: newKeySchema,
    answers: { 201: { says: 'The key, this once in clear.', body: createdKeySchema } },
  },
  'list-keys': {
    tag: 'Keys',
    summary: 'List keys',
    query: keyListQuery,
    answers: { 200: { says: 'Up to 100 of them.', body: dataSchema(v.array(shownKeySchema)) } },
  },
  'get-key': { tag: 'Keys', summary: 'Read a key', answers: { 200: key }, refuses: [404] },
  'update-key': {
    tag: 'Keys',
    summary: 'Change a key',
    description: 'What is left out stays; `null` clears.',
    body: keyChangeSchema,
    answers: { 200: key },
    refuses: [404],
  },
  'delete-key': {
    tag: 'Keys',
    summary: 'Delete a key',
    description: 'No key can delete itself.',
    answers: { 200: deleted },
    refuses: [400, 404],
  },
  'get-current-key': {
    tag: 'Keys',
    summary: 'Read the key that is calling',
    answers: { 200: { says: 'The key.', body: dataSchema(shownCurrentKeySchema) } },
    refuses: [404],
  },
  'create-provider-key': {
    tag: 'Provider keys',
    summary: 'Store a provider key',
    body: newProviderKeySchema,
    answers: { 201: providerKey },
  },
  'list-provider-keys': {
    tag: 'Provider keys',
    summary: 'List a workspace’s provider keys',
    query: providerKeyListQuery,
    answers: { 200: { says: 'A page of them.', body: countedPageSchema(shownProviderKeySchema) } },
  },
  'get-provider-key': {
    tag: 'Provider keys',
    summary: 'Read a provider key',
    answers: { 200: providerKey },
    refuses: [404],
  },
  'update-provider-key': {
    tag: 'Provider keys',
    summary: 'Change a provider key',
    body: providerKeyChangeSchema,
    answers: { 200: providerKey },
    refuses: [404],
  },
  'delete-provider-key': {
    tag: 'Provider keys',
    summary: 'Delete a provider key',
    answers: { 200: deleted },
    refuses: [404],
  },
  'get-credits': { tag: 'Credits', summary: 'Read the credits', answers: { 200: credits } },
  'grant-credits': {
    tag: 'Credits',
    summary: 'Grant credits',
    description: 'Until the first grant, credits limit nothing.',
    idempotencyKey: 'required',
    body: grantSchema,
    answers: { 200: { ...credits, headers: ['idempotent-replayed'] } },
  },
} as const satisfies Record<string, Operation>;
