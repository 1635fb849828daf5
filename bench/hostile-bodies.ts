/**
 * How fast Genway's upload server takes files of 50 MiB that are made to hold up its search for the boundary, beside an
 * ordinary file: in time and in CPU. The boundary is as long as those of clients; then it is so short that no client makes
 * it, but a hostile one can. The rounds alternate, all in one server. Fails above 1.6 × its own CPU or below 0.65 of its
 * own speed; with a short boundary above 3 × and below 0.33. The CPU varies less.
 *
 * A profile shows what they cost more in `indexOf` alone: an ordinary file takes 0.1 s of CPU a GB there. What is almost
 * a delimiter makes it compare nearly every byte: up to 0.4 s. With a short boundary it can pass over four bytes at a
 * time at most, and each step waits for the one before: up to 1.4 s. Other ways to search only have other worst bytes.
 *
 *   npx node bench/hostile-bodies.ts [rounds]
 */
import { median } from './median.ts';
import { type Blocks, blocksOf, ORDINARY, upload } from './upload/client.ts';
import { GENWAY } from './upload/contestants.ts';
import { bundleServers, type RunningServer, startWithSink, usage } from './upload/processes.ts';

const ROUNDS = Number(process.argv[2] ?? 9);
const SIZE = 50 * 1024 ** 2;
const BARS = { usual: { speed: 0.65, cpu: 1.6 }, short: { speed: 0.33, cpu: 3 } };
/** As Chromium makes them. */
const USUAL = '----WebKitFormBoundaryePkpFF7tjBAqx29L';

interface Body {
  readonly blocks: Blocks;
  readonly boundary: string;
}

const filledWith = (pattern: string, boundary = USUAL): Body => ({
  blocks: blocksOf(Buffer.from(pattern)),
  boundary,
});
const nearMisses = (boundary: string) => ({
  'delimiters without their last byte': filledWith(`\r\n--${boundary.slice(0, -1)}`, boundary),
  'delimiters with another last byte': filledWith(`\r\n--${boundary.slice(0, -1)}!`, boundary),
  'delimiters with another byte in the middle': filledWith(`\r\n!-${boundary}`, boundary),
  'delimiters with another fifth byte': filledWith(`\r\n--!${boundary.slice(1)}`, boundary),
});
const ORDINARY_BODY = { blocks: ORDINARY, boundary: USUAL };
const HOSTILE: Readonly<Record<keyof typeof BARS, Readonly<Record<string, Body>>>> = {
  usual: {
    'CR alone': filledWith('\r'),
    'LF alone': filledWith('\n'),
    'pairs of CR and LF': filledWith('\r\n'),
    'the first four bytes of a delimiter': filledWith('\r\n--'),
    ...nearMisses(USUAL),
    'the letter of a boundary of one letter 70 times': filledWith('b', 'b'.repeat(70)),
  },
  short: {
    'a boundary of one letter, CR alone': filledWith('\r', 'b'),
    'a boundary of one letter, dashes': filledWith('-', 'b'),
    'a boundary of one letter, delimiters with another last byte': filledWith('\r\n--!', 'b'),
    'a boundary of one letter three times, that letter': filledWith('b', 'bbb'),
    'a boundary of eight letters, the first four bytes of a delimiter': filledWith('\r\n--', 'frontier'),
  },
};

interface Cost {
  readonly milliseconds: number;
  readonly cpuSeconds: number;
}

async function cost(server: RunningServer, body: Body): Promise<Cost> {
  const before = await usage(server);
  const milliseconds = await upload(server.port, { isForm: true, size: SIZE, ...body });
  return { milliseconds, cpuSeconds: (await usage(server)).cpuSeconds - before.cpuSeconds };
}

interface Pair {
  readonly own: Cost;
  readonly beside: Cost;
}

/** With an ordinary file before it or after it. */
async function costOfBoth(server: RunningServer, body: Body, isFirst: boolean): Promise<Pair> {
  if (isFirst) return { own: await cost(server, body), beside: await cost(server, ORDINARY_BODY) };
  const beside = await cost(server, ORDINARY_BODY);
  return { own: await cost(server, body), beside };
}

const bodies = Object.values(HOSTILE).flatMap((group) => Object.entries(group));
const ordinary: Cost[] = [];
const hostile = new Map(bodies.map(([name]): [string, Pair[]] => [name, []]));
await bundleServers();
const { server, end } = await startWithSink(GENWAY.program);
try {
  await cost(server, ORDINARY_BODY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, body] of bodies) {
      const pair = await costOfBoth(server, body, round % 2 === 1);
      ordinary.push(pair.beside);
      hostile.get(name)?.push(pair);
    }
  }
} finally {
  end();
}

const speed = (costs: readonly Cost[]) => median(costs.map(({ milliseconds }) => SIZE / 1e3 / milliseconds));
const cpu = (costs: readonly Cost[]) => median(costs.map(({ cpuSeconds }) => cpuSeconds / (SIZE / 1e9)));
console.log(`Medians of ${ROUNDS} rounds, with an ordinary file beside each\n`);
console.log('| | × its own speed | MB/s | CPU s/GB | × its own CPU |\n|---|---|---|---|---|');
console.log(
  `| an ordinary file | 1.00 | ${Math.round(speed(ordinary))} | ${cpu(ordinary).toFixed(2)} | 1.00 |`,
);
const slow: string[] = [];
for (const [name, pairs] of hostile) {
  const own = pairs.map((pair) => pair.own);
  const ofSpeed = median(pairs.map((pair) => pair.beside.milliseconds / pair.own.milliseconds));
  const ofCpu = median(pairs.map((pair) => pair.own.cpuSeconds / pair.beside.cpuSeconds));
  const figures = [ofSpeed.toFixed(2), Math.round(speed(own)), cpu(own).toFixed(2), ofCpu.toFixed(2)];
  console.log(`| ${[name, ...figures].join(' | ')} |`);
  const bar = name in HOSTILE.short ? BARS.short : BARS.usual;
  if (ofSpeed < bar.speed || ofCpu > bar.cpu) slow.push(name);
}
if (slow.length > 0) throw new Error(`Not within their bars: ${slow.join(', ')}`);
console.log('\nAll are within their bars.');
