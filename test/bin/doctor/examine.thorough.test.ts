import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { runCommand } from '../../../local/system/run-command.ts';

/** What doctor tells of prod, whose file in the repository has no account yet, on a machine without Docker. */
async function told(
  endpoint: string,
  asked = ['--stage', 'prod'],
  region = 'eu-central-1',
): Promise<Record<string, string>> {
  const env = {
    ...process.env,
    AWS_REGION: region,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL: endpoint,
    CDK_DOCKER: '/no/docker',
  };
  // A process of its own, because the SDK takes errors of Jest's realm for no errors.
  const { code, output } = await runCommand(process.execPath, ['bin/genway.ts', 'doctor', ...asked], { env });
  expect(code).toBe(1);
  const lines = [...output.matchAll(/^(ok|note|fault) +(\w+) +(.*)$/gm)];
  return Object.fromEntries(lines.map(([, kind, about, text]) => [about, `${kind}: ${text}`]));
}

const MISSING: Readonly<Record<string, string>> = {
  'TrentService.DescribeKey': 'NotFoundException',
  'CertificateManager.DescribeCertificate': 'ResourceNotFoundException',
};

/** An AWS that has no key, certificate or bucket, and otherwise answers nothing but this. */
async function toldBy(status: number, body: string, asked?: string[]) {
  const server = createServer(({ method, headers }, response) => {
    if (method === 'HEAD') return response.writeHead(404).end();
    const __type = MISSING[String(headers['x-amz-target'])];
    if (__type !== undefined) return response.writeHead(400).end(JSON.stringify({ __type }));
    return response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  try {
    return await told(`http://127.0.0.1:${port}`, asked);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const REFUSAL = `<ErrorResponse><Error><Type>Sender</Type><Code>InvalidClientTokenId</Code>
<Message>The security token included in the request is invalid.</Message></Error></ErrorResponse>`;

const IDENTITY = `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn>
<Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;

describe('doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'genway-doctor-'));
  const config = join(folder, 'mine.jsonc');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('asks in the region of the stage, where the environment names none', async () => {
    writeFileSync(config, '{"data":"destroy","region":"eu-west-1"}');
    const found = await told('http://127.0.0.1:9', ['--config', config], '');
    expect(found).toMatchObject({ network: expect.stringMatching(/^fault: Could not reach AWS/) });
  });

  test('judges nothing by settings that are wrong', async () => {
    writeFileSync(config, '{"largeUploads":"off","colour":"red"}');
    expect(await toldBy(200, IDENTITY, ['--config', config])).toEqual({
      settings: expect.stringContaining('fault: '),
      credentials: 'ok: arn:aws:iam::123456789012:user/ada',
    });
  });

  test('tells no network apart from refused credentials, and what is wrong besides', async () => {
    const found = await told('http://127.0.0.1:9');
    expect(found).toMatchObject({
      settings: expect.stringMatching(/^fault: config.stages.prod.json must set account and region/),
      alarms: expect.stringContaining('note: No recipients are set in alarms.page and alarms.ticket of'),
      network: expect.stringMatching(/^fault: Could not reach AWS.*ECONNREFUSED/),
      docker: expect.stringContaining('fault: /no/docker'),
    });
    expect(found).not.toHaveProperty('credentials');
  });

  test('tells which of what the deployer brings is not there', async () => {
    const dataKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555';
    const own = { dataKeyArn, accessLogBucket: 'acme-logs' };
    const certificateArn =
      'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
    const domain = { name: 'api.example.com', certificateArn };
    writeFileSync(config, JSON.stringify({ data: 'destroy', region: 'eu-west-1', own, domain }));
    expect(await toldBy(200, IDENTITY, ['--config', config])).toMatchObject({
      dataKey: expect.stringContaining(`fault: There is no key ${dataKeyArn} in eu-west-1`),
      accessLogs: 'fault: There is no bucket acme-logs: create it in eu-west-1',
      certificate: expect.stringContaining(
        'fault: ACM has no certificate with the ARN in domain.certificateArn',
      ),
    });
  });

  test('tells refused credentials as such', async () => {
    const found = await toldBy(403, REFUSAL);
    expect(found).toMatchObject({
      settings: expect.stringContaining('fault: '),
      credentials: expect.stringMatching(/^fault: AWS did not confirm your credentials.*security token/),
      docker: expect.stringContaining('fault: '),
    });
    expect(found).not.toHaveProperty('network');
  });

  test('checks the rest of the account when the stage’s file does not name it', async () => {
    const found = await toldBy(200, IDENTITY);
    expect(found).toMatchObject({
      settings: expect.stringContaining('fault: '),
      credentials: 'ok: arn:aws:iam::123456789012:user/ada',
      account: expect.stringContaining('add: "account":"123456789012"'),
      bootstrap: expect.stringContaining('npx cdk bootstrap aws://123456789012/eu-central-1'),
    });
  });
});
