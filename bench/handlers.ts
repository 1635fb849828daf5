/**
 * What every handler of a route costs when it is warm, compared with a bare function that makes the same AWS calls: in CPU
 * time and in wall time, over an AWS that answers at once. Both run in short turns, each in its own process, so that a slow
 * phase of the machine hits both alike. Fails if the median of the CPU ratios is above the bar.
 *
 * Two processes with one program differ from each other for as long as they run: by 2 % most often, by 30 % at times. More
 * turns do not even that out, so several pairs of processes are measured, and the median is that of the rounds of all
 * pairs. It is a median of ratios, because a slow phase is in both sides of a round: over short turns it varied half as
 * much as the ratio of the medians. Garbage is collected within the turns, because it is part of what a request costs.
 *
 * Turns and warm-ups are as many AWS calls on each route, since these take most of the time. After the warm-up both sides
 * still become faster for thousands of calls, but alike.
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
import { bundle } from '../lib/bundling/bundle.ts';
import { BUNDLES, ROOT } from '../lib/bundling/folders.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { answerOf, ask } from './answer-of.ts';
import { readRecording } from './handlers/recording.ts';
import { median } from './median.ts';

const BAR = 1.3;
const PAIRS = 3;
const ROUNDS = 10;
/** In AWS calls. */
const WARM_UP = 800;
const TURN = 60;
/** In requests: code that runs once in a request must be warm too. */
const SHORTEST_WARM_UP = 100;
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

interface Round {
  readonly ours: Cost;
  readonly bare: Cost;
}

/** Each is first in every second round, because the second may gain from what the first left behind. */
async function alternate(ours: ChildProcess, bare: ChildProcess, times: number): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isOursFirst = round % 2 === 0;
    const first = await costOf(isOursFirst ? ours : bare, times);
    const second = await costOf(isOursFirst ? bare : ours, times);
    rounds.push(isOursFirst ? { ours: first, bare: second } : { ours: second, bare: first });
  }
  return rounds;
}

/** The rounds of two new processes. */
async function roundsOfPair(route: string, file: string, aws: string, calls: number): Promise<Round[]> {
  const ours = start('worker.ts', 'ours', join(BUNDLES, route, 'index.mjs'), file, aws);
  const bare = start('worker.ts', 'bare', join(ROOT, 'dist/bench/bare.mjs'), file, aws);
  try {
    await Promise.all([answerOf(ours), answerOf(bare)]);
    const warmUp = Math.max(SHORTEST_WARM_UP, Math.ceil(WARM_UP / calls));
    await Promise.all([ours, bare].map((child) => costOf(child, warmUp)));
    return await alternate(ours, bare, Math.ceil(TURN / calls));
  } catch (cause) {
    throw new Error(`${route}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    ours.kill('SIGKILL');
    bare.kill('SIGKILL');
  }
}

const ratios = (rounds: readonly Round[], of: keyof Cost) =>
  rounds.map(({ ours, bare }) => ours[of] / bare[of]);

async function compare(route: string, file: string, aws: string, calls: number) {
  const pairs: Round[][] = [];
  for (let pair = 0; pair < PAIRS; pair++) pairs.push(await roundsOfPair(route, file, aws, calls));
  const rounds = pairs.flat();
  const medians = pairs.map((each) => median(ratios(each, 'cpu')));
  return {
    route,
    calls,
    microseconds: Math.round(median(rounds.map(({ ours }) => ours.cpu))),
    cpu: median(ratios(rounds, 'cpu')),
    spread: `${Math.min(...medians).toFixed(2)}–${Math.max(...medians).toFixed(2)}`,
    wall: median(ratios(rounds, 'wall')),
  };
}

if (!existsSync(RECORDINGS)) record();
await bundleFunctions();
await bundle([{ in: join(HERE, 'bare.ts'), out: 'bare' }], join(ROOT, 'dist/bench'), { minify: true });
const stub = start('aws-stub.ts');
const { port } = v.parse(v.object({ port: v.number() }), await answerOf(stub));
const aws = `http://127.0.0.1:${port}`;
const wanted = process.argv[2] ?? '';
const rows: Awaited<ReturnType<typeof compare>>[] = [];
console.log(
  `Medians of ${PAIRS} pairs of processes with ${ROUNDS} rounds each; a turn makes about ${TURN} AWS calls, after ${WARM_UP} that are not counted. The spread is that of the pairs’ medians.\n`,
);
console.log(
  '| route | AWS calls | µs of CPU | × the bare function’s CPU | spread | × its time |\n|---|---|---|---|---|---|',
);
try {
  for (const name of readdirSync(RECORDINGS).filter((each) => each.includes(wanted))) {
    const route = name.replace('.json', '');
    const file = join(RECORDINGS, name);
    const { calls } = readRecording(file, aws);
    // A handler without AWS calls answers from memory, so there is nothing to compare.
    if (calls.length === 0) continue;
    await ask(stub, { file, aws });
    const row = await compare(route, file, aws, calls.length);
    rows.push(row);
    const figures = [row.calls, row.microseconds, row.cpu.toFixed(2), row.spread, row.wall.toFixed(2)];
    console.log(`| ${[route, ...figures].join(' | ')} |`);
  }
} finally {
  stub.kill('SIGKILL');
}
if (rows.length === 0) throw new Error(`no route with AWS calls has ${wanted} in its name`);
const above = rows.filter(({ cpu }) => cpu > BAR).map(({ route }) => route);
if (above.length > 0) throw new Error(`More than ${BAR} × a bare function: ${above.join(', ')}`);
console.log(`\nAll ${rows.length} are within ${BAR} × a bare function.`);
