import { openApiDocument } from './document.ts';

const WORDS = new Set(['description', 'summary', 'example']);

/** What programs depend on in the description: all but what is for people. */
export const openApiSurface = (): unknown =>
  JSON.parse(JSON.stringify(openApiDocument()), (name, value) =>
    // A member of a schema may be called so too, and is no text.
    WORDS.has(name) && (name === 'example' || typeof value === 'string') ? undefined : value,
  );
