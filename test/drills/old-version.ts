import { execFileSync } from 'node:child_process';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { DrillFailed } from './drilled-stage.ts';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit of the last release. Every release writes `docs/openapi.released.yaml`. */
export const lastRelease = (): string => git('log', '-1', '--format=%H', '--', 'docs/openapi.released.yaml');

export interface OldVersion {
  readonly checkout: string;
  /** Installs its own packages. */
  install(): Promise<void>;
}

/** Checks out another version, in a repository of its own. */
export function checkOut(reference: string, folder: string): OldVersion {
  git('clone', '--quiet', '--shared', '--no-checkout', CHECKOUT, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', reference);
  return {
    checkout: folder,
    install: async () => {
      const { code, output } = await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
      if (code !== 0) throw new DrillFailed(`The packages of ${reference} cannot be installed:\n${output}`);
    },
  };
}
