import { runCommand } from '../../local/system/run-command.ts';
import { type Finding, fault, ok } from './finding.ts';

/** What builds the image of the upload server; CDK takes another program by its variable. */
export async function findDocker(program = 'docker'): Promise<Finding> {
  const { code, output } = await runCommand(program, ['version', '--format', '{{.Server.Version}}']);
  if (code === 0) return ok('docker', `${program} ${output.trim()}`);
  const or = 'or set CDK_DOCKER to what is in its place, or "largeUploads": "off"';
  return fault(
    'docker',
    `${program} does not run, which builds the image of the upload server: start it, ${or}`,
  );
}
