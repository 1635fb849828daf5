import { InvalidRequest } from './errors.ts';
import { invalidField } from './invalid-field.ts';

const DEEPEST = 32;
/** Far above what any field has; an object of a hundred thousand members takes its parser twenty times as long. */
const MOST_MEMBERS = 1_000;

/** An object or an array that is still open: the names seen in it so far, and where in it we are. */
type Level =
  | { readonly kind: 'object'; readonly names: Set<string>; at: string }
  | { readonly kind: 'array'; at: number };

/**
 * Refuses what `JSON.parse` lets pass: nesting that would exhaust the stack of whatever walks the value
 * later, objects of very many members, and a member given twice, of which `JSON.parse` keeps the last and
 * other readers the first.
 * Text that is not JSON ends in a refusal or in nothing; `JSON.parse` judges it.
 *
 * @throws InvalidRequest
 */
export function checkStructure(text: string): void {
  const open: Level[] = [];
  /** The last string, until a colon makes a name of it. */
  let string: string | undefined;
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"': {
        const end = endOfString(text, i);
        string = text.slice(i, end);
        i = end - 1;
        break;
      }
      case '{':
      case '[':
        if (open.length === DEEPEST) {
          throw new InvalidRequest(`The body must not nest deeper than ${DEEPEST} levels`);
        }
        open.push(text[i] === '{' ? { kind: 'object', names: new Set(), at: '' } : { kind: 'array', at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ':':
        if (string !== undefined) enterMember(open, string);
        string = undefined;
        break;
      case ',':
        enterElement(open.at(-1));
        break;
    }
  }
}

/** Past the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

function enterMember(open: readonly Level[], literal: string): void {
  const level = open.at(-1);
  if (level?.kind !== 'object') return;
  level.at = memberName(literal);
  if (level.names.has(level.at)) {
    throw invalidField(
      open.map(({ at }) => at),
      'must not be given twice',
    );
  }
  level.names.add(level.at);
  if (level.names.size > MOST_MEMBERS) {
    throw new InvalidRequest(`An object in the body must not have more than ${MOST_MEMBERS} members`);
  }
}

/** Escapes are undone, because `"\u0061"` names the same member as `"a"`. */
function memberName(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

function enterElement(level: Level | undefined): void {
  if (level?.kind === 'array') level.at++;
}
