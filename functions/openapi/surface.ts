import { openApiDocument } from './document.ts';

const WORDS = new Set(['description', 'summary', 'example']);

/** What programs depend on in the description: everything but the texts for people. */
export const openApiSurface = (): unknown =>
  JSON.parse(JSON.stringify(openApiDocument()), (name, value) =>
    // A field of a schema may have such a name too, and is not a text.
    WORDS.has(name) && (name === 'example' || typeof value === 'string') ? undefined : value,
  );
