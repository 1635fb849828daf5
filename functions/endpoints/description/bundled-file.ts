import { readFileSync } from 'node:fs';

/** How long anyone may keep the description: after an upgrade it may be another. */
export const CACHEABLE = { 'cache-control': 'public, max-age=300' };

/** A file that `lib/description/` has put beside the program. `import.meta.url` is that of the bundle. */
export const bundledFile = (name: string): Buffer => readFileSync(new URL(`./${name}`, import.meta.url));
