import { type AcceptedMimeType, OOXML_TYPES, type Verdict } from './accepted-types.ts';
import { startTags } from './xml-start-tags.ts';

/** Main parts' types without macros. Strict and transitional OOXML share them (ISO/IEC 29500-1, 11.3.10 ff.). */
const MAIN_TYPES = new Map<string, AcceptedMimeType>(
  Object.values(OOXML_TYPES).map((type) => [`${type}.main+xml`, type]),
);
const OTHER_MAIN_TYPE = /\.main(?:\+xml)?$/;

/**
 * Decides about an Office Open XML package by its `[Content_Types].xml` (ISO/IEC 29500-2, 7.2.3): it must
 * declare one main part, of an accepted type, and that part must be in the package.
 *
 * @param parts the names of the package's other entries, which OPC compares without regard to case
 */
export function classifyPackage(xml: string, parts: readonly string[]): Verdict {
  const lowerCaseParts = parts.map((part) => `/${part.toLowerCase()}`);
  const { overrides, defaults } = readDeclarations(xml);
  const found = new Set<string>();
  for (const part of lowerCaseParts) {
    const type = overrides.get(part) ?? defaults.get(part.slice(part.lastIndexOf('.') + 1));
    if (type !== undefined && OTHER_MAIN_TYPE.test(type)) found.add(type);
  }
  const [mainType] = found;
  if (mainType === undefined)
    return { found: 'an Open Packaging Conventions package without a main document' };
  if (found.size > 1) return { found: 'an Office Open XML package with several main documents' };
  const mimeType = MAIN_TYPES.get(mainType);
  return mimeType === undefined ? { found: mainType.replace(OTHER_MAIN_TYPE, '') } : { mimeType };
}

function readDeclarations(xml: string): { overrides: Map<string, string>; defaults: Map<string, string> } {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  for (const { name, attributes } of startTags(xml)) {
    if (name !== 'Override' && name !== 'Default') continue;
    const type = attributes.get('ContentType');
    const key = attributes.get(name === 'Override' ? 'PartName' : 'Extension');
    if (type === undefined || key === undefined) continue;
    (name === 'Override' ? overrides : defaults).set(key.toLowerCase(), type);
  }
  return { overrides, defaults };
}
