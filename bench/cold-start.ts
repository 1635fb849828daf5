import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import * as v from 'valibot';
import { BUNDLES, bundleFunctions } from '../lib/function-bundles.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';
import { startSynthesizer } from '../test/infra/synthesizer/start.ts';
import { synthesize } from '../test/infra/template.ts';

/**
 * What a cold start costs: a fresh process that imports a function's bundle, beside one that imports a
 * bare DynamoDB client bundled the plain way. Rounds are interleaved; medians and ratios are printed.
 *
 *   npx node bench/cold-start.ts [rounds]
 */
const ROUNDS = Number(process.argv[2] ?? 11);
/** What the stack gives each function; nothing is called, so any value does for what only AWS can name. */
const environmentSchema = v.object({
  Properties: v.object({ Environment: v.object({ Variables: v.record(v.string(), v.unknown()) }) }),
});

async function settings(): Promise<Record<string, string>> {
  const functions = Object.values((await synthesize('prod')).findResources('AWS::Lambda::Function'));
  const variables = functions.flatMap((each) => {
    const parsed = v.safeParse(environmentSchema, each);
    return parsed.success ? Object.entries(parsed.output.Properties.Environment.Variables) : [];
  });
  return Object.fromEntries(
    variables.map(([name, value]) => [name, typeof value === 'string' ? value : 'x']),
  );
}

async function plainClient(folder: string): Promise<string> {
  const entry = join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'; export default new DynamoDBClient();",
  );
  const outfile = join(folder, 'index.mjs');
  const nodePaths = [join(import.meta.dirname, '..', 'node_modules')];
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  };
  await build({
    entryPoints: [entry],
    outfile,
    nodePaths,
    banner,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
  });
  await stop();
  return outfile;
}

function importMilliseconds(file: string, environment: NodeJS.ProcessEnv): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `await import(${JSON.stringify(file)})`],
    {
      env: environment,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  return performance.now() - begun;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'genway-cold-'));
try {
  await bundleFunctions();
  await prepareImageContext();
  await startSynthesizer();
  const environment = { ...process.env, ...(await settings()), AWS_REGION: 'us-east-1' };
  const files = new Map([['(a bare DynamoDB client)', await plainClient(folder)]]);
  for (const name of readdirSync(BUNDLES)) files.set(name, join(BUNDLES, name, 'index.mjs'));
  const times = new Map([...files.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, file] of files) times.get(name)?.push(importMilliseconds(file, environment));
  }
  const yardstick = median(times.get('(a bare DynamoDB client)') ?? []);
  const rows = [...files].map(([name, file]) => {
    const milliseconds = median(times.get(name) ?? []);
    return {
      function: name,
      kB: Math.round(statSync(file).size / 1000),
      ms: Math.round(milliseconds),
      ratio: (milliseconds / yardstick).toFixed(2),
    };
  });
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
