import { readFileSync } from 'node:fs';

/** Short, because an upgrade may change the description. */
export const CACHEABLE = { 'cache-control': 'public, max-age=300' };

/** A file that `lib/description/` has put beside the program; `import.meta.url` is the bundle's. */
export const bundledFile = (name: string): Buffer => readFileSync(new URL(`./${name}`, import.meta.url));
