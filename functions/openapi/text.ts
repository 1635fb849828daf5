import { stringify } from 'yaml';
import { openApiDocument } from './document.ts';

export const openApiJson = (): string => JSON.stringify(openApiDocument());

/** Through JSON, where what is undefined is absent. */
export const openApiYaml = (): string =>
  stringify(JSON.parse(openApiJson()), { aliasDuplicateObjects: false, lineWidth: 120 });
