/** What a generator writes: a new file, or a file with one more line. */
export interface Change {
  readonly path: string;
  readonly text: string;
}

/** The checkout that a generator reads. Paths are relative to it. */
export interface Checkout {
  readonly read: (path: string) => string;
  readonly list: (glob: string) => string[];
}

/** The command line is wrong, or the checkout does not allow the change. */
export class CannotGenerate extends Error {
  override readonly name = 'CannotGenerate';
}

/** @throws CannotGenerate if the file exists, so that nothing is overwritten */
export function newFile(checkout: Checkout, path: string, text: string): Change {
  if (checkout.list(path).length > 0) throw new CannotGenerate(`${path} exists already`);
  return { path, text };
}

/** The file with one more line, at the end of the list that begins with `opening`. */
export function lineAdded(checkout: Checkout, path: string, opening: string, line: string): Change {
  const text = checkout.read(path);
  const begin = text.indexOf(opening);
  const end = begin < 0 ? -1 : text.slice(begin).search(/\n[}\]]/);
  if (end < 0) throw new CannotGenerate(`${path} has no list that begins with “${opening}”`);
  const at = begin + end;
  return { path, text: `${text.slice(0, at)}\n${line}${text.slice(at)}` };
}

/** Lower case, digits and single hyphens: the form of names of files, routes and providers. */
export function checkName(what: string, name: string): void {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) {
    throw new CannotGenerate(
      `${what}: “${name}” is not a name; use lower case and hyphens, such as get-video`,
    );
  }
}
