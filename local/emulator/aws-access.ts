import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import * as v from 'valibot';
import { LocalRunError } from '../system/failure.ts';
import type { StateFolder } from '../system/state-folder.ts';
import { shellWord } from '../terminal/text.ts';

/** How to call the emulator's AWS as its root user. */
export interface AwsAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const REGION = 'us-east-1';

/** An emulator that somebody else runs. The credentials are the usual ones of emulators, so that no real ones are used. */
export function accessTo(endpoint: string): AwsAccess {
  return { endpoint, region: REGION, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}

/** Our own emulator. Its root key and its id are new in every run, so nobody else knows them. */
export function newRootAccess(port: number): AwsAccess {
  const secret = () => randomBytes(20).toString('hex');
  const credentials = { accessKeyId: `genway${secret()}`, secretAccessKey: secret() };
  return { endpoint: `http://127.0.0.1:${port}`, region: REGION, credentials };
}

/** The access as the run file has it, in the words of AWS's own settings. */
export const announcedAccess = ({ endpoint, region, credentials }: AwsAccess) => ({
  endpoint_url: endpoint,
  region,
  access_key_id: credentials.accessKeyId,
  secret_access_key: credentials.secretAccessKey,
});

/** Reads it back. */
export const announcedAccessSchema = v.pipe(
  v.object({
    endpoint_url: v.string(),
    region: v.string(),
    access_key_id: v.string(),
    secret_access_key: v.string(),
  }),
  v.transform(
    ({ endpoint_url, region, access_key_id, secret_access_key }): AwsAccess => ({
      endpoint: endpoint_url,
      region,
      credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    }),
  ),
);

const runSchema = v.pipe(v.string(), v.parseJson(), v.object({ aws: announcedAccessSchema }));

/** The emulator of a running local stage. @throws LocalRunError */
export async function accessToRun({ root, runFile }: StateFolder): Promise<AwsAccess> {
  const text = await readFile(runFile, 'utf8').catch((cause) => {
    const message = `No running local stage was found in ${root}. Start one with npm start -- --state ${shellWord(root)}.`;
    throw new LocalRunError(message, { cause });
  });
  return v.parse(runSchema, text).aws;
}

/** The environment of a program that calls the emulator, and that must not find the user's real account. */
export function awsEnvironment(access: AwsAccess): NodeJS.ProcessEnv {
  return {
    ...cleanEnvironment(),
    AWS_ENDPOINT_URL: access.endpoint,
    AWS_REGION: access.region,
    AWS_DEFAULT_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

/**
 * The user's environment without AWS settings and npm's variables. The Node.js of this process is the first in PATH,
 * so that functions do not run on the system's version.
 */
export function cleanEnvironment(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(source).filter(([name]) => !/^(AWS_|CDK_|npm_)/i.test(name));
  const { PATH } = source;
  const path = [dirname(process.execPath), PATH].filter((part) => part !== undefined && part !== '');
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
}
