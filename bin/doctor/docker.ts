import { runCommand } from '../../local/system/run-command.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Checks the program that builds the image of the upload server; `CDK_DOCKER` can name another. */
export async function findDocker(program = 'docker'): Promise<Finding> {
  const { code, output } = await runCommand(program, ['version', '--format', '{{.Server.Version}}']);
  if (code === 0) return ok('docker', `${program} ${output.trim()}`);
  const or = 'or set CDK_DOCKER to a replacement, or set "largeUploads": "off"';
  return fault(
    'docker',
    `${program}, which builds the image of the upload server, does not run: start it, ${or}`,
  );
}
