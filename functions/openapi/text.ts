import { stringify } from 'yaml';
import { openApiDocument } from './document.ts';

export const openApiJson = (): string => JSON.stringify(openApiDocument());

/**
 * Converted to JSON first, which drops undefined members. Text that YAML 1.1 reads as a number, a date or a truth, such
 * as `16:9`, is quoted, because many parsers still read that version.
 */
export const openApiYaml = (): string =>
  stringify(JSON.parse(openApiJson()), { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 120 });

const WORDS = new Set(['description', 'summary', 'example']);

/** What programs depend on in the description: everything but the texts for people. */
export const openApiSurface = (): unknown =>
  JSON.parse(JSON.stringify(openApiDocument()), (name, value) =>
    // A field of a schema may have such a name too, and is not a text.
    WORDS.has(name) && (name === 'example' || typeof value === 'string') ? undefined : value,
  );
