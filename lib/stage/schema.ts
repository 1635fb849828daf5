import { data } from './settings/data.ts';
import { edge } from './settings/edge.ts';
import { load } from './settings/load.ts';
import { operations } from './settings/operations.ts';
import { place } from './settings/place.ts';
import { providers } from './settings/providers.ts';
import { uploads } from './settings/uploads.ts';

/** The settings in groups, as docs/configuration.md lists them. */
export const settingGroups = {
  'Where it is': place,
  'What it keeps': data,
  'The way in': edge,
  'Large uploads': uploads,
  'Running it': operations,
  'How much': load,
  Providers: providers,
};

export const settingEntries = {
  ...place,
  ...data,
  ...edge,
  ...uploads,
  ...operations,
  ...load,
  ...providers,
};
