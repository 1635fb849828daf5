import { readdirSync, readFileSync } from 'node:fs';

export const FIXTURES = new URL('../../fixtures/files/', import.meta.url);

export const fixture = (path: string) => readFileSync(new URL(path, FIXTURES));

/** What those that are accepted are called. */
export const accepted = readdirSync(new URL('accepted/', FIXTURES));
