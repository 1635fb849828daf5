import { stringify } from 'yaml';
import { openApiDocument } from './document.ts';

export const openApiJson = (): string => JSON.stringify(openApiDocument());

/** Converted to JSON first, which drops undefined members. */
export const openApiYaml = (): string =>
  stringify(JSON.parse(openApiJson()), { aliasDuplicateObjects: false, lineWidth: 120 });
