import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, PutBucketCorsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { stage } from './stage.ts';

const EMULATOR = new URL(stage.aws.endpoint);

interface EmulatorRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface EmulatorAnswer {
  readonly status: number;
  readonly body: string;
  /** The CORS headers in the answer, by name. */
  readonly cors: readonly string[];
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Sends a request with any `Host`; `fetch` would set its own. */
async function send({ method, path, headers = {}, body }: EmulatorRequest): Promise<EmulatorAnswer> {
  const { hostname, port } = EMULATOR;
  const outgoing = openRequest({ hostname, port, method, path, headers });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  return {
    status: answer.statusCode,
    body: await text(answer),
    cors: Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
  };
}

interface SigningOptions {
  /** @default the emulator's host */
  readonly host?: string;
  /** @default now */
  readonly signingDate?: Date;
  /** Whether a header states the body's hash. SDKs send it and the AWS CLI does not. @default true */
  readonly declareBody?: boolean;
}

/** Adds a signature in the headers. */
async function signed(
  request: EmulatorRequest,
  service: string,
  credentials: Credentials,
  { host = EMULATOR.host, signingDate = new Date(), declareBody = true }: SigningOptions = {},
): Promise<EmulatorRequest> {
  const { headers } = await signerOf(service, credentials, declareBody).sign(forSigning(request, host), {
    signingDate,
  });
  return { ...request, headers };
}

/** Adds a signature in the query, as a signed link has it. */
async function linked(
  request: EmulatorRequest,
  service: string,
  credentials: Credentials,
  { host = EMULATOR.host, signingDate = new Date() }: SigningOptions = {},
): Promise<EmulatorRequest> {
  const headers = { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const { query = {} } = await signerOf(service, credentials, true).presign(
    forSigning({ ...request, headers }, host),
    { signingDate, expiresIn: 300 },
  );
  const [path] = request.path.split('?');
  const parameters = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return { ...request, path: `${path}?${parameters.join('&')}` };
}

function signerOf(service: string, credentials: Credentials, applyChecksum: boolean): SignatureV4 {
  const uriEscapePath = service !== 's3';
  const { region } = stage.aws;
  return new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum, uriEscapePath });
}

function forSigning({ method, path, headers = {}, body }: EmulatorRequest, host: string) {
  const { pathname, searchParams } = new URL(path, EMULATOR);
  const query = Object.fromEntries(searchParams);
  const { hostname } = EMULATOR;
  return { protocol: 'http:', hostname, path: pathname, query, method, body, headers: { ...headers, host } };
}

/**
 * The credentials that an unguarded emulator would give a function. They depend on two names only, so anyone could
 * compute them.
 */
function derivedCredentials(functionArn: string, roleArn: string): Required<Credentials> {
  const hash = (content: string) => createHash('sha256').update(content).digest('hex');
  const digest = hash(`${functionArn}:${roleArn}`);
  return {
    accessKeyId: `ASIA${digest.slice(0, 16).toUpperCase()}`,
    secretAccessKey: hash(`secret:${digest}`),
    sessionToken: hash(`token:${digest}`),
  };
}

const root = stage.aws.credentials;
const ACCOUNT = '000000000000';
/** A page of another origin cannot read any part of this answer. */
const REFUSED = { status: 403, body: expect.stringContaining('UnrecognizedClient'), cors: [] };

const LIST_TABLES: EmulatorRequest = {
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' },
  body: '{}',
};
const GET_CALLER: EmulatorRequest = {
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'Action=GetCallerIdentity&Version=2011-06-15',
};
/** One reading and one writing operation for each service that stores anything, and the emulator's own endpoints. */
const OPERATIONS: readonly (EmulatorRequest & { readonly service: string })[] = [
  { service: 'dynamodb', ...LIST_TABLES },
  { service: 'dynamodb', ...LIST_TABLES, headers: { 'x-amz-target': 'DynamoDB_20120810.CreateTable' } },
  { service: 'dynamodb', ...LIST_TABLES, path: '/_aws/execute-api/' },
  { service: 'dynamodb', ...LIST_TABLES, path: `/_aws/execute-api/${stage.origins.apiId}` },
  { service: 'dynamodb', ...LIST_TABLES, path: '/_aws/execute-api//api/' },
  { service: 's3', method: 'GET', path: '/' },
  { service: 's3', method: 'PUT', path: '/planted' },
  { service: 's3', method: 'PUT', path: '/planted/object', body: 'x' },
  { service: 'lambda', method: 'GET', path: '/2015-03-31/functions' },
  { service: 'lambda', method: 'POST', path: '/2015-03-31/functions', body: '{"FunctionName":"planted"}' },
  { service: 'sqs', method: 'POST', path: '/', body: 'Action=ListQueues&Version=2012-11-05' },
  { service: 'sts', ...GET_CALLER },
  { service: 'execute-api', method: 'GET', path: '/_ministack/ready' },
  { service: 'execute-api', method: 'POST', path: '/_ministack/reset' },
  { service: 'execute-api', method: 'POST', path: '/_ministack/config', body: '{}' },
  { service: 'execute-api', method: 'POST', path: '/_ministack/health' },
  { service: 'execute-api', method: 'GET', path: '/_localstack/health' },
  { service: 'execute-api', method: 'GET', path: '/health' },
  { service: 'execute-api', method: 'GET', path: '/_aws/lambda-url/x/' },
  {
    service: 'execute-api',
    method: 'GET',
    path: `/restapis/${stage.origins.apiId}/api/_user_request_/api/v1/videos/models`,
  },
  { service: 'ec2', method: 'GET', path: '/latest/meta-data/iam/security-credentials/' },
  { service: 'ec2', method: 'GET', path: '/Latest/meta-data/' },
  { service: 'ec2', method: 'GET', path: '/v2/credentials' },
];
const named = OPERATIONS.map((operation) => ({
  ...operation,
  name: `${operation.method} ${operation.path} of ${operation.service}`,
}));

describe.each(named)('$name', ({ service, name: _, ...request }) => {
  test('is refused without a signature, to web pages and programs alike', async () => {
    const page = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    expect(await send({ ...request, headers: page })).toEqual(REFUSED);
    expect(await send(request)).toEqual(REFUSED);
  });

  test('refuses a preflight', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': request.method };
    expect(await send({ method: 'OPTIONS', path: request.path, headers })).toEqual(REFUSED);
  });

  test.each([
    'test',
    ACCOUNT,
    '111111111111',
    'genway-local',
    root.accessKeyId,
    `ASIA${'A'.repeat(16)}`,
    'AKIAIOSFODNN7EXAMPLE',
  ])('refuses %s, which knows no secret', async (accessKeyId) => {
    const guess = { accessKeyId, secretAccessKey: 'test' };
    expect(await send(await signed(request, service, guess))).toEqual(REFUSED);
    expect(await send(await linked(request, service, guess))).toEqual(REFUSED);
    const v2 = `AWS ${accessKeyId}:c2lnbmF0dXJl`;
    expect(await send({ ...request, headers: { ...request.headers, authorization: v2 } })).toEqual(REFUSED);
  });

  test('refuses a signature without a key id', async () => {
    const { headers = {}, ...rest } = await signed(request, service, root);
    const authorization = headers.authorization?.replace(root.accessKeyId, '') ?? '';
    expect(await send({ ...rest, headers: { ...headers, authorization } })).toEqual(REFUSED);
  });
});

describe('the root of this run', () => {
  test.each([true, false])('is admitted with a signature, body’s hash declared: %s', async (declareBody) => {
    const { status, body } = await send(await signed(LIST_TABLES, 'dynamodb', root, { declareBody }));
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { TableNames: expect.arrayContaining([expect.any(String)]) },
    ]);
  });

  test.each([`localhost:${EMULATOR.port}`, '127.0.0.1:1'])('is admitted with the Host %s', async (host) => {
    expect(await send(await signed(LIST_TABLES, 'dynamodb', root, { host }))).toMatchObject({ status: 200 });
  });

  test.each([
    `evil.example:${EMULATOR.port}`,
    'evil.example',
    '127.0.0.2',
    '[::1]',
    `localhost.evil.example:${EMULATOR.port}`,
    `bucket.localhost:${EMULATOR.port}`,
  ])('is refused with the Host "%s" despite its signature', async (host) => {
    expect(await send(await signed(LIST_TABLES, 'dynamodb', root, { host }))).toEqual(REFUSED);
  });

  test('is refused with a body that differs from the signed one', async () => {
    const request = await signed(LIST_TABLES, 'dynamodb', root, { declareBody: false });
    expect(await send({ ...request, body: '{"Limit":1}' })).toEqual(REFUSED);
  });

  test('is refused with a method, path, query or target that differs from the signed one', async () => {
    const request = await signed(LIST_TABLES, 'dynamodb', root);
    const target = { 'x-amz-target': 'DynamoDB_20120810.CreateTable' };
    for (const change of [
      { method: 'PUT' },
      { path: '/x' },
      { path: '/?x' },
      { headers: { ...request.headers, ...target } },
    ]) {
      expect(await send({ ...request, ...change })).toEqual(REFUSED);
    }
  });

  test('is refused an hour later', async () => {
    const signingDate = new Date(Date.now() - 3_600_000);
    expect(await send(await signed(LIST_TABLES, 'dynamodb', root, { signingDate }))).toEqual(REFUSED);
  });

  test('cannot use the emulator’s own paths', async () => {
    for (const [method, path] of [
      ['POST', '/_ministack/reset'],
      ['GET', '/latest/meta-data/'],
    ] as const) {
      expect(await send(await signed({ method, path }, 's3', root))).toEqual(REFUSED);
    }
  });
});

describe('a session', () => {
  let session: Required<Credentials>;

  beforeAll(async () => {
    const role = `arn:aws:iam::${ACCOUNT}:role/cdk-hnb659fds-deploy-role-${ACCOUNT}-${stage.aws.region}`;
    const body = `Action=AssumeRole&Version=2011-06-15&RoleSessionName=t&RoleArn=${encodeURIComponent(role)}`;
    const answer = await send(await signed({ ...GET_CALLER, body }, 'sts', root));
    const field = (name: string) => new RegExp(`<${name}>([^<]+)<`).exec(answer.body)?.[1] ?? '';
    session = {
      accessKeyId: field('AccessKeyId'),
      secretAccessKey: field('SecretAccessKey'),
      sessionToken: field('SessionToken'),
    };
  });

  test('is admitted with all its issued credentials', async () => {
    expect(await send(await signed(GET_CALLER, 'sts', session))).toMatchObject({
      status: 200,
      body: expect.stringContaining('assumed-role/cdk-hnb659fds-deploy-role'),
    });
  });

  test.each(['accessKeyId', 'secretAccessKey', 'sessionToken'] as const)(
    'is refused with another %s',
    async (name) => {
      const forged = {
        ...session,
        [name]: session[name].replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      };
      expect(await send(await signed(GET_CALLER, 'sts', forged))).toEqual(REFUSED);
    },
  );

  test('is refused without its token', async () => {
    const { accessKeyId, secretAccessKey } = session;
    expect(await send(await signed(GET_CALLER, 'sts', { accessKeyId, secretAccessKey }))).toEqual(REFUSED);
  });

  test('cannot also name the root', async () => {
    const request = await signed(GET_CALLER, 'sts', session);
    const scope = `${root.accessKeyId}/20260101/${stage.aws.region}/sts/aws4_request`;
    expect(await send({ ...request, path: `/?X-Amz-Credential=${encodeURIComponent(scope)}` })).toEqual(
      REFUSED,
    );
    const { authorization = '', ...headers } = request.headers ?? {};
    const twice = authorization.replace('Credential=', `Credential=${scope}, Credential=`);
    expect(await send({ ...request, headers: { ...headers, authorization: twice } })).toEqual(REFUSED);
  });
});

test('no function has a key that can be derived from its name', async () => {
  let tried = 0;
  for (const { FunctionArn = '', Role = '' } of (await deployedFunctions(stage.aws)).values()) {
    const credentials = derivedCredentials(FunctionArn, Role);
    expect(await send(await signed(GET_CALLER, 'sts', credentials))).toEqual(REFUSED);
    tried++;
  }
  expect(tried).toBeGreaterThan(40);
});

describe('a link', () => {
  const bucket = `links-${randomUUID()}`;
  const object: EmulatorRequest = { method: 'GET', path: `/${bucket}/a%20folder/object` };
  const origin = 'https://app.example';

  beforeAll(async () => {
    const s3 = new S3Client(stage.aws);
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a folder/object', Body: 'content' }));
    const rule = { AllowedMethods: ['GET'], AllowedOrigins: ['*'], AllowedHeaders: ['range'] };
    await s3.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
    s3.destroy();
  });

  test('returns its object, which a page may read if the bucket allows it', async () => {
    const link = await linked(object, 's3', root);
    expect(await send(link)).toEqual({ status: 200, body: 'content', cors: [] });
    expect(await send({ ...link, headers: { origin } })).toMatchObject({
      status: 200,
      body: 'content',
      cors: expect.arrayContaining(['access-control-allow-origin']),
    });
  });

  test('has its preflight answered by the bucket', async () => {
    const preflight = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'range',
    };
    const link = { ...(await linked(object, 's3', root)), method: 'OPTIONS', headers: preflight };
    expect(await send(link)).toMatchObject({
      status: 200,
      cors: expect.arrayContaining(['access-control-allow-origin']),
    });
    const other = { ...preflight, 'access-control-request-method': 'PUT' };
    expect(await send({ ...link, headers: other })).toEqual(REFUSED);
  });

  test.each([
    ['X-Amz-Signature', '0'.repeat(64)],
    ['X-Amz-Expires', '301'],
    ['X-Amz-Credential', `test/20260101/us-east-1/s3/aws4_request`],
    ['X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256'],
    ['X-Amz-SignedHeaders', ''],
    ['response-content-type', 'text/html'],
  ])('is refused with another %s', async (name, value) => {
    const link = await linked(object, 's3', root);
    const url = new URL(link.path, EMULATOR);
    url.searchParams.set(name, value);
    expect(await send({ ...link, path: url.pathname + url.search })).toEqual(REFUSED);
  });

  test('is refused for another method, object or Host', async () => {
    const link = await linked(object, 's3', root);
    expect(await send({ ...link, method: 'DELETE' })).toEqual(REFUSED);
    expect(await send({ ...link, path: link.path.replace('object', 'other') })).toEqual(REFUSED);
    const host = `evil.example:${EMULATOR.port}`;
    expect(await send({ ...(await linked(object, 's3', root, { host })), headers: { host } })).toEqual(
      REFUSED,
    );
  });

  test('is refused by the emulator once it has expired', async () => {
    const link = await linked(object, 's3', root, { signingDate: new Date(Date.now() - 301_000) });
    expect(await send(link)).toMatchObject({ status: 403, body: expect.stringContaining('expired') });
  });

  test('only works for objects, whoever signs it', async () => {
    expect(await send(await linked(LIST_TABLES, 'dynamodb', root))).toEqual(REFUSED);
  });
});

describe('what needs no signature', () => {
  const models = `/_aws/execute-api/${stage.origins.apiId}/api/v1/videos/models`;

  test('is the deployed API, and the health check', async () => {
    // The deployed API checks callers itself. A request that bypasses the edge lacks the edge's secret.
    expect(await send({ method: 'GET', path: models })).toMatchObject({
      status: 403,
      body: expect.stringContaining('permission_denied'),
    });
    expect(await send({ method: 'GET', path: '/_ministack/health' })).toMatchObject({
      status: 200,
      cors: [],
    });
  });

  test('is refused with another Host', async () => {
    for (const path of [models, '/_ministack/health']) {
      const headers = { host: `evil.example:${EMULATOR.port}` };
      expect(await send({ method: 'GET', path, headers })).toEqual(REFUSED);
    }
  });

  test('does not include WebSockets', async () => {
    const url = `ws://${EMULATOR.host}/_aws/execute-api/${stage.origins.apiId}/api`;
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = new WebSocket(url);
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
    expect(await promise).toBe('refused');
    socket.close();
  });
});
