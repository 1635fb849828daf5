import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, type InstanceScript, ROOT } from './bundle.ts';

const LARGEST_ARCHIVE = 256 * 1024 * 1024;

/**
 * The functions of another version, made with the packages that are installed now. They run with today's variables, and
 * their providers are today's: a version that does not fit these cannot be simulated.
 */
export async function bundleVersion(commit: string): Promise<InstanceScript> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'genway-version-'));
  try {
    const input = execFileSync('git', ['archive', commit, 'functions', 'package.json'], {
      cwd: ROOT,
      maxBuffer: LARGEST_ARCHIVE,
    });
    execFileSync('tar', ['-x', '-C', folder], { input });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return await bundleFunctions(undefined, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
