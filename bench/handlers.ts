/**
 * What every handler of a route costs when it is warm, compared with a bare function that makes the same AWS calls: in CPU
 * time and in wall time, over an AWS that answers at once. Both run in short turns, each in its own process, so that a slow
 * phase of the machine hits both alike. Fails if the median of the CPU ratios is above the bar.
 *
 *   npx node bench/handlers.ts [part of a route's name]
 *
 * `test/contract/aws-calls.test.ts` records the calls once on its own stage, into `dist/bench/calls`. Delete that folder to
 * record them again.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundle, ROOT } from '../lib/bundle.ts';
import { BUNDLES, bundleFunctions } from '../lib/function-bundles.ts';
import { answerOf, ask } from './answer-of.ts';
import { readRecording } from './handlers/recording.ts';
import { median } from './median.ts';

const BAR = 1.3;
const ROUNDS = 25;
const WARM_UP = 300;
const TIMES = 40;
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

/** The output of a function is ignored, but it must be able to write it. */
function start(program: string, ...args: string[]): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  return fork(join(HERE, program), args, { execArgv: ['--no-warnings'], stdio: [...stdio] });
}

async function costOf(child: ChildProcess, times: number): Promise<Cost> {
  const cost = v.parse(costSchema, await ask(child, times));
  if ('failure' in cost) throw new Error(cost.failure);
  return cost;
}

/** Each is first in every second round, because the second may gain from what the first left behind. */
async function alternate(ours: ChildProcess, bare: ChildProcess): Promise<{ ours: Cost; bare: Cost }[]> {
  const rounds: { ours: Cost; bare: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isOursFirst = round % 2 === 0;
    const first = await costOf(isOursFirst ? ours : bare, TIMES);
    const second = await costOf(isOursFirst ? bare : ours, TIMES);
    rounds.push(isOursFirst ? { ours: first, bare: second } : { ours: second, bare: first });
  }
  return rounds;
}

async function compare(route: string, aws: string) {
  const file = join(RECORDINGS, `${route}.json`);
  const ours = start('worker.ts', 'ours', join(BUNDLES, route, 'index.mjs'), file, aws);
  const bare = start('worker.ts', 'bare', join(ROOT, 'dist/bench/bare.mjs'), file, aws);
  try {
    await Promise.all([answerOf(ours), answerOf(bare)]);
    await Promise.all([ours, bare].map((child) => costOf(child, WARM_UP)));
    const rounds = await alternate(ours, bare);
    const ratios = (of: keyof Cost) => rounds.map((each) => each.ours[of] / each.bare[of]);
    return {
      route,
      calls: readRecording(file, aws).calls.length,
      microseconds: Math.round(median(rounds.map((each) => each.ours.cpu))),
      cpu: median(ratios('cpu')),
      spread: `${Math.min(...ratios('cpu')).toFixed(2)}–${Math.max(...ratios('cpu')).toFixed(2)}`,
      wall: median(ratios('wall')),
    };
  } catch (cause) {
    throw new Error(`${route}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    ours.kill('SIGKILL');
    bare.kill('SIGKILL');
  }
}

if (!existsSync(RECORDINGS)) record();
await bundleFunctions();
await bundle([{ in: join(HERE, 'bare.ts'), out: 'bare' }], join(ROOT, 'dist/bench'), { minify: true });
const stub = start('aws-stub.ts');
const { port } = v.parse(v.object({ port: v.number() }), await answerOf(stub));
const aws = `http://127.0.0.1:${port}`;
const wanted = process.argv[2] ?? '';
const rows: Awaited<ReturnType<typeof compare>>[] = [];
console.log(`Medians of ${ROUNDS} rounds of ${TIMES} calls each, after ${WARM_UP} that are not counted\n`);
console.log(
  '| route | AWS calls | µs of CPU | × the bare function’s CPU | spread | × its time |\n|---|---|---|---|---|---|',
);
try {
  for (const name of readdirSync(RECORDINGS).filter((each) => each.includes(wanted))) {
    const route = name.replace('.json', '');
    // A handler without AWS calls answers from memory, so there is nothing to compare.
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
