export interface StartTag {
  /** Without the prefix of its namespace. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const COMMENT = '<!--';
const END_OF_COMMENT = '-->';
const NAME = /<(?:[\w.-]+:)?([\w.-]+)/y;
const ATTRIBUTE = /\s+([\w:.-]{1,64})\s*=\s*(?:"([^<"]*)"|'([^<']*)')/y;
const END = /\s*\/?>/y;

/** Known ones have two, and the root one for each namespace. */
const MOST_ATTRIBUTES = 16;

/**
 * The start tags of an XML text that are well-formed; `undefined` for whatever else begins with `<`, so that who
 * reads a hostile text hears of it as often.
 *
 * No run that an expression takes goes past the next `<`, which is where the next tag is looked for, and each
 * is tried at one place: so every character is looked at a few times at most, however hostile the text.
 */
export function* startTags(xml: string): Generator<StartTag | undefined> {
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    if (xml.startsWith(COMMENT, at)) {
      at = xml.indexOf(END_OF_COMMENT, at + COMMENT.length);
      if (at === -1) return;
      yield undefined;
    } else yield readStartTag(xml, at++);
  }
}

function readStartTag(xml: string, start: number): StartTag | undefined {
  NAME.lastIndex = start;
  const name = NAME.exec(xml)?.[1];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = NAME.lastIndex;
  for (let count = 0; count < MOST_ATTRIBUTES; count++) {
    ATTRIBUTE.lastIndex = end;
    const attribute = ATTRIBUTE.exec(xml);
    if (attribute === null) break;
    const [, key = '', inDouble, inSingle] = attribute;
    attributes.set(key, inDouble ?? inSingle ?? '');
    end = ATTRIBUTE.lastIndex;
  }
  END.lastIndex = end;
  return END.test(xml) ? { name, attributes } : undefined;
}
