/** Renews the tables of docs/configuration.md from the schema; what stands above the first one is kept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsReference } from './reference.ts';

const PAGE = 'docs/configuration.md';

const page = readFileSync(PAGE, 'utf8');
writeFileSync(PAGE, `${page.slice(0, page.indexOf('\n## '))}\n${settingsReference()}\n`);
