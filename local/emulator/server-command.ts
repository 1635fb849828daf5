import { join } from 'node:path';
import { type AwsAccess, cleanEnvironment } from './aws-access.ts';
import { type EmulatorProgram, PROGRAM_FOLDER } from './install.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The command that starts the emulator. Both kinds go through serve.py, and so have the guard. */
export function serverCommand(program: EmulatorProgram, stateRoot: string, access: AwsAccess): ServerCommand {
  const settings = {
    AUTH: 'true',
    AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
    GATEWAY_PORT: new URL(access.endpoint).port,
    MINISTACK_HOST: '127.0.0.1',
    MINISTACK_REGION: access.region,
    PERSIST_STATE: '1',
    S3_PERSIST: '1',
    SFTP_ENABLED: '0',
    IOT_MTLS_ENABLED: '0',
    // The emulator's own program around each function causes this warning, which would be in every function's log.
    NODE_OPTIONS: '--disable-warning=DEP0169',
  };
  if (program.kind === 'docker') return dockerCommand(program.image, settings, stateRoot);
  const env = {
    ...cleanEnvironment(),
    ...settings,
    ...folderSettings(stateRoot),
    BIND_HOST: '127.0.0.1',
  };
  return { command: program.python, args: [join(PROGRAM_FOLDER, 'serve.py')], env };
}

function dockerCommand(image: string, settings: Record<string, string>, stateRoot: string): ServerCommand {
  const { GATEWAY_PORT: port } = settings;
  const inside = {
    ...settings,
    ...folderSettings('/state'),
    BIND_HOST: '0.0.0.0',
    PYTHONPATH: '/opt/ministack',
  };
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const args = [
    'run',
    '--rm',
    '--interactive',
    '--init',
    '--user',
    user,
    '--publish',
    `127.0.0.1:${port}:${port}`,
  ];
  args.push('--volume', `${stateRoot}:/state`, '--volume', `${PROGRAM_FOLDER}:/genway:ro`);
  // Pass only the names: the values, one of them a secret, must not appear in the process list.
  for (const name of Object.keys(inside)) args.push('--env', name);
  args.push('--entrypoint', 'python', image, '/genway/serve.py');
  return { command: 'docker', args, env: { ...cleanEnvironment(), ...inside } };
}

function folderSettings(root: string) {
  return { STATE_DIR: `${root}/services`, S3_DATA_DIR: `${root}/objects`, TMPDIR: `${root}/scratch` };
}
