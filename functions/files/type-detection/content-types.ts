import { type AcceptedMimeType, OOXML_TYPES, type Verdict } from './accepted-types.ts';
import { startTags } from './xml-start-tags.ts';
import { MOST_ZIP_ENTRIES } from './zip-directory.ts';

/** Main parts' types without macros. Strict and transitional OOXML share them (ISO/IEC 29500-1, 11.3.10 ff.). */
const MAIN_TYPES = new Map<string, AcceptedMimeType>(
  Object.values(OOXML_TYPES).map((type) => [`${type}.main+xml`, type]),
);
const OTHER_MAIN_TYPE = /\.main(?:\+xml)?$/;
/** Twice as many as there can be parts to declare; a mebibyte of nothing but tags has ten times that. */
const MOST_TAGS = 2 * MOST_ZIP_ENTRIES;

/**
 * Decides about an Office Open XML package by its `[Content_Types].xml` (ISO/IEC 29500-2, 7.2.3): it must
 * declare one main part, of an accepted type, and that part must be in the package.
 *
 * @param parts the names of the package's other entries, which OPC compares without regard to case
 */
export function* classifyPackage(xml: string, parts: readonly string[]): Generator<void, Verdict> {
  const { overrides, defaults } = yield* readDeclarations(xml);
  const found = new Set<string>();
  for (const name of parts) {
    yield;
    const part = `/${name.toLowerCase()}`;
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

interface Declarations {
  readonly overrides: Map<string, string>;
  readonly defaults: Map<string, string>;
}

function* readDeclarations(xml: string): Generator<void, Declarations> {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  let tags = 0;
  for (const tag of startTags(xml)) {
    if (++tags > MOST_TAGS) return { overrides: new Map(), defaults: new Map() };
    yield;
    const { name, attributes } = tag ?? {};
    if (attributes === undefined || (name !== 'Override' && name !== 'Default')) continue;
    const type = attributes.get('ContentType');
    const key = attributes.get(name === 'Override' ? 'PartName' : 'Extension');
    if (type === undefined || key === undefined) continue;
    (name === 'Override' ? overrides : defaults).set(key.toLowerCase(), type);
  }
  return { overrides, defaults };
}
