import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';
import { packageFolder, replaceFile } from './bundle.ts';
import { ROOT } from './folders.ts';

/** All of ours that a program may be made of, what makes it, and npm's lists of what is asked for and what is installed. */
const SOURCES = [
  '{functions,lib}/**/*',
  '{package,package-lock,tsconfig}.json',
  'node_modules/.package-lock.json',
];

const recordSchema = v.pipe(
  v.string(),
  v.parseJson(),
  // The digest is also of the account beside it, so that nobody else can have written it.
  v.object({ digest: v.string(), metafile: v.custom<Metafile>((value) => typeof value === 'object') }),
);

/**
 * Bundles programs, unless nothing has changed since that was done last: no byte of what may go into them, of what did, or of what
 * came out. It takes many seconds of every core, and most starts and deployments ask for the same ones again.
 * @param outdir where nobody else writes programs
 * @param settings what else they depend on
 * @param build writes the programs with what it is given
 */
export async function buildIfChanged(
  outdir: string,
  settings: unknown,
  build: (write: typeof replaceFile) => Promise<Metafile>,
  root = ROOT,
): Promise<Metafile> {
  const record = `${outdir}.json`;
  const sourcesNow = () => digestOf(root, globSync(SOURCES, { cwd: root }));
  const sources = sourcesNow();
  const digest = (metafile: Metafile) => {
    const parts = [
      digestOf(root, filesRead(metafile)),
      digestOf(outdir, globSync('**/*.mjs', { cwd: outdir })),
    ];
    const facts = JSON.stringify([process.version, settings, metafile, sources, ...parts]);
    return createHash('sha256').update(facts).digest('hex');
  };
  const last = v.safeParse(recordSchema, contentOf(record)?.toString());
  if (last.success && last.output.digest === digest(last.output.metafile)) return last.output.metafile;
  const written = new Map<string, Uint8Array>();
  const metafile = await build((path, contents) => {
    replaceFile(path, contents);
    written.set(path, contents);
  });
  const content = JSON.stringify({ digest: digest(metafile), metafile });
  // What somebody has changed meanwhile may be in some of the programs only, and another build may have written some of them.
  const isSteady =
    sourcesNow() === sources && [...written].every(([path, own]) => contentOf(path)?.equals(own));
  if (isSteady) replaceFile(record, Buffer.from(content));
  return metafile;
}

/** The files that a build has read, wherever they are, and those that say which of a package's files are read. */
function filesRead({ inputs }: Metafile): string[] {
  const files = Object.keys(inputs);
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== ''));
  return [...files, ...[...folders].map((folder) => join(folder, 'package.json'))];
}

/** Of names and contents. */
function digestOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const content = contentOf(join(folder, file));
    if (content !== undefined) hash.update(JSON.stringify([file, content.length])).update(content);
  }
  return hash.digest('hex');
}

/** Undefined where there is no file of this name. */
const contentOf = (path: string): Buffer | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
