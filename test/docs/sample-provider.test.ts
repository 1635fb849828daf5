import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import '../../docs/adding-a-provider/acme.test.ts';
import { catalogueSchema } from '../../functions/videos/catalogue/catalogue.ts';

test('the catalogue accepts the sample’s row', () => {
  const file = resolve(import.meta.dirname, '../../docs/adding-a-provider/acme-fox.json');
  const [row] = v.parse(catalogueSchema, [JSON.parse(readFileSync(file, 'utf8'))]);
  expect(row).toMatchObject({ id: 'acme/fox-1', provider: 'acme', dialect: {} });
});
