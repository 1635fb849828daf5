/** Writes the tables of docs/configuration.md from the schema; keeps the text above the first table. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsReference } from './reference.ts';

const PAGE = 'docs/configuration.md';

const page = readFileSync(PAGE, 'utf8');
writeFileSync(PAGE, `${page.slice(0, page.indexOf('\n## '))}\n${settingsReference()}\n`);
