/**
 * What a cold start costs: a fresh process that loads a function's bundle, beside one that loads a bare DynamoDB client
 * bundled the plain way. Rounds are interleaved; the medians of what the processor needs are compared, since other work
 * on the machine counts little in them. Fails where a function is above the bar, in time or in bytes.
 *
 *   npx node bench/cold-start.ts [rounds] [part of a function's name]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { BUNDLES, bundleFunctions } from '../lib/function-bundles.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';
import { bareClient, bundleNames, COLD_BAR, loadedBytes } from '../test/infra/bundle-bytes.ts';
import { programsOf } from '../test/infra/roles.ts';
import { startSynthesizer } from '../test/infra/synthesizer/start.ts';
import { synthesize, synthesizePart } from '../test/infra/template.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const BARE = '(a bare DynamoDB client)';
/** It passes for a name as for a digest, whichever a deployment fills in. */
const AT_DEPLOY = 'a'.repeat(64);
/** The one value that is parsed as it is read. */
const NO_KEYS = { WEBHOOK_KEYS: '{"keys":[]}' };
const LOAD = `
  const before = process.cpuUsage();
  const begun = performance.now();
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpu: (user + system) / 1000, wall: performance.now() - begun }));`;
const costSchema = v.pipe(v.string(), v.parseJson(), v.object({ cpu: v.number(), wall: v.number() }));
type Cost = v.InferOutput<typeof costSchema>;

interface Program {
  readonly file: string;
  readonly bytes: number;
  readonly environment: Record<string, string>;
}

/** As the stack tells each function. */
async function environments(): Promise<Map<string, Record<string, string>>> {
  await startSynthesizer();
  const templates = [
    await synthesize('prod'),
    await synthesizePart('Watch', 'prod'),
    await synthesizePart('Logs', 'prod'),
  ];
  const programs = templates.flatMap(programsOf).map(({ name, variables }) => {
    const told = Object.entries(variables).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : AT_DEPLOY,
    ]);
    return [name, Object.fromEntries(told)] as const;
  });
  return new Map(programs);
}

function load({ file, environment }: Program): Cost {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', LOAD, file],
    { env: { ...environment, ...NO_KEYS, AWS_REGION: 'us-east-1' }, encoding: 'utf8' },
  );
  // Of a minified program the rest is one long line.
  if (status !== 0) throw new Error(`${file} does not load: ${/^\w*Error: .*$/m.exec(stderr)?.[0]}`);
  return v.parse(costSchema, stdout.trimEnd().split('\n').at(-1));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function measure(programs: ReadonlyMap<string, Program>) {
  const costs = new Map([...programs.keys()].map((name): [string, Cost[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, program] of programs) costs.get(name)?.push(load(program));
  }
  const of = (name: string, field: keyof Cost) => median((costs.get(name) ?? []).map((one) => one[field]));
  const ofBare = (name: string) =>
    (costs.get(name) ?? []).map(({ cpu }, round) => cpu / (costs.get(BARE)?.[round]?.cpu ?? Number.NaN));
  return [...programs].map(([name, { bytes }]) => ({
    name,
    bytes,
    cpu: of(name, 'cpu'),
    wall: of(name, 'wall'),
    spread: [Math.min(...ofBare(name)), Math.max(...ofBare(name))].map((ratio) => ratio.toFixed(2)).join('–'),
  }));
}

const folder = mkdtempSync(join(tmpdir(), 'genway-cold-'));
try {
  await bundleFunctions();
  await prepareImageContext();
  const bare = await bareClient();
  const bareFile = join(folder, 'bare.mjs');
  writeFileSync(bareFile, bare);
  const programs = new Map<string, Program>([
    [BARE, { file: bareFile, bytes: bare.length, environment: {} }],
  ]);
  const told = await environments();
  const everything = Object.assign({}, ...told.values());
  for (const name of bundleNames().filter((each) => each.includes(process.argv[3] ?? ''))) {
    // Those of custom resources are in a stack of their own, and read no more than others do.
    const environment = told.get(name) ?? everything;
    programs.set(name, { file: join(BUNDLES, name, 'index.mjs'), bytes: loadedBytes(name), environment });
  }
  const [yardstick, ...functions] = measure(programs);
  if (yardstick === undefined) throw new Error('nothing was measured');
  const rows = functions.map((each) => ({
    ...each,
    ofBytes: each.bytes / yardstick.bytes,
    ofCpu: each.cpu / yardstick.cpu,
  }));
  rows.sort((a, b) => b.ofCpu - a.ofCpu);
  console.log(
    `${BARE}: ${Math.round(yardstick.bytes / 1000)} kB, ${yardstick.cpu.toFixed(0)} ms of CPU, ${yardstick.wall.toFixed(0)} ms\n`,
  );
  console.log(
    '| function | kB | × the bare client’s | ms of CPU | × the bare client’s | spread |\n|---|---|---|---|---|---|',
  );
  for (const { name, bytes, ofBytes, cpu, ofCpu, spread } of rows) {
    const figures = [Math.round(bytes / 1000), ofBytes.toFixed(2), cpu.toFixed(0), ofCpu.toFixed(2), spread];
    console.log(`| ${[name, ...figures].join(' | ')} |`);
  }
  const above = rows.filter(({ ofBytes, ofCpu }) => ofBytes > COLD_BAR || ofCpu > COLD_BAR);
  if (above.length > 0)
    throw new Error(`More than ${COLD_BAR} × a bare client: ${above.map(({ name }) => name).join(', ')}`);
  console.log(`\nAll ${rows.length} are within ${COLD_BAR} × a bare client, in time and in bytes.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
