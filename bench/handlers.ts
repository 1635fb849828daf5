/**
 * What every handler of a route costs once it is warm, beside a bare function that makes the same calls: in time of the processor
 * and on the wall, over an AWS that answers at once. Both run in turns, in a process each. Fails where the median of the
 * processor's ratios is above the bar.
 *
 *   npx node bench/handlers.ts [part of a route's name]
 *
 * The calls are those that `test/contract/aws-calls.test.ts` sees on a stage of its own; they are recorded once, into
 * `dist/bench/calls`, which may be deleted to have them anew.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundle, ROOT } from '../lib/bundle.ts';
import { BUNDLES, bundleFunctions } from '../lib/function-bundles.ts';
import { readRecording } from './handlers/recording.ts';

const BAR = 1.3;
const ROUNDS = 5;
const WARM_UP = 300;
const TIMES = 200;
const HERE = join(import.meta.dirname, 'handlers');
const RECORDINGS = join(ROOT, 'dist/bench/calls');

const costSchema = v.union([
  v.object({ cpu: v.number(), wall: v.number() }),
  v.object({ failure: v.string() }),
]);
interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

function record(): void {
  const command = ['test', '--', 'test/contract/aws-calls.test.ts', '--selectProjects', 'contract'];
  const env = { ...process.env, GENWAY_RECORD_CALLS: RECORDINGS };
  const { status } = spawnSync('npm', command, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  rmSync(RECORDINGS, { recursive: true, force: true });
  throw new Error('the calls could not be recorded');
}

/** What a function writes is of no interest, but it does write it. */
function start(program: string, ...args: string[]): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  return fork(join(HERE, program), args, { execArgv: ['--no-warnings'], stdio: [...stdio] });
}

async function ask(child: ChildProcess, message: number | object): Promise<unknown> {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
}

async function costOf(child: ChildProcess, times: number): Promise<Cost> {
  const cost = v.parse(costSchema, await ask(child, times));
  if ('failure' in cost) throw new Error(cost.failure);
  return cost;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(route: string, aws: string) {
  const file = join(RECORDINGS, `${route}.json`);
  const ours = start('worker.ts', 'ours', join(BUNDLES, route, 'index.mjs'), file, aws);
  const bare = start('worker.ts', 'bare', join(ROOT, 'dist/bench/bare.mjs'), file, aws);
  try {
    await Promise.all([once(ours, 'message'), once(bare, 'message')]);
    for (const child of [ours, bare]) await costOf(child, WARM_UP);
    const rounds: { ours: Cost; bare: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ ours: await costOf(ours, TIMES), bare: await costOf(bare, TIMES) });
    }
    const ratios = (of: keyof Cost) => rounds.map((each) => each.ours[of] / each.bare[of]);
    return {
      route,
      calls: readRecording(file, aws).calls.length,
      microseconds: Math.round(median(rounds.map((each) => each.ours.cpu))),
      cpu: median(ratios('cpu')),
      spread: `${Math.min(...ratios('cpu')).toFixed(2)}–${Math.max(...ratios('cpu')).toFixed(2)}`,
      wall: median(ratios('wall')),
    };
  } finally {
    ours.kill('SIGKILL');
    bare.kill('SIGKILL');
  }
}

if (!existsSync(RECORDINGS)) record();
await bundleFunctions();
await bundle([{ in: join(HERE, 'bare.ts'), out: 'bare' }], join(ROOT, 'dist/bench'), { minify: true });
const stub = start('aws-stub.ts');
const [{ port }] = await once(stub, 'message');
const aws = `http://127.0.0.1:${port}`;
const wanted = process.argv[2] ?? '';
const rows: Awaited<ReturnType<typeof compare>>[] = [];
console.log(
  '| route | AWS calls | µs of CPU | × the bare function’s CPU | spread | × its time |\n|---|---|---|---|---|---|',
);
try {
  for (const name of readdirSync(RECORDINGS).filter((each) => each.includes(wanted))) {
    const route = name.replace('.json', '');
    // Nothing to compare with: what calls nothing answers from its memory.
    if (readRecording(join(RECORDINGS, name), aws).calls.length === 0) continue;
    await ask(stub, { file: join(RECORDINGS, name), aws });
    const row = await compare(route, aws);
    rows.push(row);
    const figures = [row.calls, row.microseconds, row.cpu.toFixed(2), row.spread, row.wall.toFixed(2)];
    console.log(`| ${[route, ...figures].join(' | ')} |`);
  }
} finally {
  stub.kill('SIGKILL');
}
const above = rows.filter(({ cpu }) => cpu > BAR).map(({ route }) => route);
if (above.length > 0) throw new Error(`More than ${BAR} × a bare function: ${above.join(', ')}`);
console.log(`\nAll ${rows.length} are within ${BAR} × a bare function.`);
