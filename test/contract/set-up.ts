import { appendFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { openApiJson } from '../../functions/openapi/text.ts';
import { STACK } from '../../local/deployment/deploy.ts';
import { edgeSecret } from '../../local/edge/edge.ts';
import { type RunningStage, startStage } from '../../local/stage.ts';
import { startVendors, type VendorServer } from '../files/providers/vendor-server.ts';
import { type IssuerServer, startIssuer } from './issuer.ts';

declare global {
  var genwayStage: RunningStage | undefined;
  var genwayVendors: VendorServer | undefined;
  var genwayIssuer: IssuerServer | undefined;
}

/** Deploys Genway to its own emulator on free ports, once for the whole run. */
export default async function setUp(): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'genway-contract-'));
  const logFile = join(stateDir, 'functions.log');
  // Built once for all test files, because building takes most of a second.
  const description = join(stateDir, 'openapi.json');
  await writeFile(description, openApiJson());
  // Unpacked once too: a test file that found it half unpacked by another could not run it.
  await chromium.executablePath();
  const vendors = await startVendors();
  globalThis.genwayVendors = vendors;
  const issuer = await startIssuer();
  globalThis.genwayIssuer = issuer;
  const stage = await startStage({
    stateDir,
    port: 0,
    // These tests send more refused requests than any caller would.
    unauthenticated: { perMinute: 1_000_000, addresses: 1 },
    settings: {
      providerBaseUrls: vendors.baseUrls,
      // `acme` takes keys, and has no endpoint until a test adds one.
      videos: { providers: { sandbox: {}, bedrock: {}, acme: { adapter: 'openai-videos' } } },
      endpointCacheSeconds: 2,
      oidc: issuer.settings,
    },
    // Written at once: CloudWatch drops a line after it was read there, and by then it must be in this file.
    log: (line) => appendFileSync(logFile, `${JSON.stringify(line)}\n`),
  });
  globalThis.genwayStage = stage;
  process.env.GENWAY_CONTRACT_STAGE = JSON.stringify({
    baseUrl: stage.baseUrl,
    managementKey: stage.managementKey,
    apiKey: stage.apiKey,
    origins: stage.origins,
    edgeSecret: (await edgeSecret(stage.state)).text,
    aws: stage.aws,
    template: join(stage.state.cdkOut, `${STACK}.template.json`),
    uploadEnvironment: stage.outputs.UploadEnvironment,
    logFile,
    description,
  });
}
