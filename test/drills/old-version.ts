import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../../local/state-folder.ts';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit of the last release. Every release writes `docs/openapi.released.yaml`. */
export const lastRelease = (): string => git('log', '-1', '--format=%H', '--', 'docs/openapi.released.yaml');

export interface OldVersion {
  readonly checkout: string;
  remove(): void;
}

/** Checks out another version, which uses the packages of this checkout. */
export function checkOut(reference: string, folder: string): OldVersion {
  git('worktree', 'add', '--detach', folder, reference);
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  return { checkout: folder, remove: () => void git('worktree', 'remove', '--force', folder) };
}
