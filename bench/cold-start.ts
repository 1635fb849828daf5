/**
 * The cost of a cold start: a new process loads a function's bundle, and another loads a bare DynamoDB client with a
 * plain bundle. Every load of a function has a load of the bare client beside it, so that a slow phase of the machine hits
 * both alike. Fails if the median of a function's ratios of CPU time is above the bar, or its ratio of bytes.
 *
 *   npx node bench/cold-start.ts [rounds] [part of a function's name]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { BUNDLES } from '../lib/bundling/folders.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';
import { bareClient, bundleNames, COLD_BAR, loadedBytes } from '../test/infra/bundle-bytes.ts';
import { programsOf } from '../test/infra/roles.ts';
import { startSynthesizer } from '../test/infra/synthesizer/serve.ts';
import { synthesize, synthesizePart } from '../test/infra/template.ts';
import { median } from './median.ts';

const ROUNDS = Number(process.argv[2] ?? 11);
const BARE = '(a bare DynamoDB client)';
/** Used for every value that a deployment fills in: it is valid both as a name and as a digest. */
const AT_DEPLOY = 'a'.repeat(64);
/** The only value that is parsed while the function loads. */
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

/** The environment of each function, as the stack sets it. */
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
  // The rest of the output is one long line of the minified program.
  if (status !== 0) throw new Error(`${file} does not load: ${/^\w*Error: .*$/m.exec(stderr)?.[0]}`);
  return v.parse(costSchema, stdout.trimEnd().split('\n').at(-1));
}

type Pair = Readonly<Record<'one' | 'bare', Cost>>;

/** Each is first in every second round, because the second may gain from what the first left behind. */
function loadBoth(program: Program, bare: Program, isBareFirst: boolean): Pair {
  if (!isBareFirst) return { one: load(program), bare: load(bare) };
  const cost = load(bare);
  return { one: load(program), bare: cost };
}

/** A round is over all functions, so that a slow phase falls on one round of many functions, not on all rounds of a few. */
function measure(programs: ReadonlyMap<string, Program>, bare: Program) {
  const pairs = new Map([...programs.keys()].map((name): [string, Pair[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, program] of programs) pairs.get(name)?.push(loadBoth(program, bare, round % 2 === 1));
  }
  const costs = [...pairs.values()].flat().map((pair) => pair.bare);
  const rows = [...programs].map(([name, { bytes }]) => {
    const own = pairs.get(name) ?? [];
    const ratios = own.map((pair) => pair.one.cpu / pair.bare.cpu);
    return {
      name,
      bytes,
      ofBytes: bytes / bare.bytes,
      cpu: median(own.map(({ one }) => one.cpu)),
      ofCpu: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join('–'),
    };
  });
  return {
    rows: rows.toSorted((a, b) => b.ofCpu - a.ofCpu),
    bareCpu: median(costs.map(({ cpu }) => cpu)),
    bareWall: median(costs.map(({ wall }) => wall)),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'genway-cold-'));
try {
  await bundleFunctions();
  await prepareImageContext();
  const client = await bareClient();
  const bare: Program = { file: join(folder, 'bare.mjs'), bytes: client.length, environment: {} };
  writeFileSync(bare.file, client);
  const programs = new Map<string, Program>();
  const told = await environments();
  const everything = Object.assign({}, ...told.values());
  for (const name of bundleNames().filter((each) => each.includes(process.argv[3] ?? ''))) {
    // Functions of custom resources are in a separate stack, and read no other variables than the others.
    const environment = told.get(name) ?? everything;
    programs.set(name, { file: join(BUNDLES, name, 'index.mjs'), bytes: loadedBytes(name), environment });
  }
  const { rows, bareCpu, bareWall } = measure(programs, bare);
  console.log(`Medians of ${ROUNDS} loads of each function, with a load of the bare client beside each\n`);
  console.log(
    `${BARE}: ${Math.round(bare.bytes / 1000)} kB, ${bareCpu.toFixed(0)} ms of CPU, ${bareWall.toFixed(0)} ms\n`,
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
