/**
 * How soon the first byte of a file reaches S3, from the moment its client connects: of 100 MiB whose length the client
 * does not tell, and of 1 KiB. Through Genway's upload server, a bare pipe and other libraries, into a stand-in for S3.
 * S3 takes a part only with its length and its checksum, so the first part is sent when all of it is here: a row says how
 * long a bare pipe takes to pass so much on. All servers run all the time, and the rounds alternate. Fails if Genway takes
 * more than 10 ms in the best rounds, because other work on the machine only adds time; or if its median is more than
 * half of the best library's, where they are installed.
 *
 *   npx node bench/first-byte.ts [rounds]
 */
import { median } from './median.ts';
import { SIZE, upload } from './upload/client.ts';
import { clock } from './upload/clock.ts';
import { type Contestant, GENWAY, otherLibraries, PIPE } from './upload/contestants.ts';
import { bundleServers, type Pair, seenBy, startWithSink } from './upload/processes.ts';

const ROUNDS = Number(process.argv[2] ?? 11);
const WARM_UP = 3;
const FIRST_PART = 5 * 1024 ** 2;
const SMALL = 1024;
const BARS = { milliseconds: 10, ofBestLibrary: 0.5 };
/** The row with the whole time of a first part. */
const WHOLE_PART = 'bare pipe, all of 5 MiB';

type Times = ReadonlyMap<string, number[]>;
interface Runner extends Pair, Contestant {
  readonly name: string;
}

async function firstByte({ server, sink, isForm }: Runner, size: number): Promise<number> {
  await seenBy(sink);
  const begun = clock();
  await upload(server.port, { isForm, size, isLengthUnknown: true });
  const { fileAt } = await seenBy(sink);
  if (fileAt === undefined) throw new Error('no file has reached the sink');
  return fileAt - begun;
}

async function measure(runners: readonly Runner[], size: number): Promise<Times> {
  const steps = new Map(runners.map((each) => [each.name, () => firstByte(each, size)]));
  const [pipe] = runners;
  if (pipe !== undefined && size > FIRST_PART) {
    const what = { isForm: true, size: FIRST_PART, isLengthUnknown: true };
    steps.set(WHOLE_PART, () => upload(pipe.server.port, what));
  }
  const times = new Map([...steps.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, step] of round % 2 === 0 ? steps : [...steps].toReversed()) {
      const time = await step();
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  return times;
}

function show(title: string, times: Times): void {
  const ofPipe = (all: readonly number[]) => median(all) / median(times.get('bare pipe') ?? []);
  console.log(
    `\n${title}, median of ${ROUNDS} rounds\n\n| | ms | spread | × the pipe’s |\n|---|---|---|---|`,
  );
  for (const [name, all] of times) {
    const spread = [Math.min, Math.max].map((end) => end(...all).toFixed(1)).join('–');
    console.log(`| ${[name, median(all).toFixed(1), spread, ofPipe(all).toFixed(1)].join(' | ')} |`);
  }
}

await bundleServers();
const others = otherLibraries();
const runners: Runner[] = [];
try {
  for (const [name, contestant] of Object.entries({ 'bare pipe': PIPE, Genway: GENWAY, ...others })) {
    runners.push({ name, ...contestant, ...(await startWithSink(contestant.program)) });
  }
  const large = await measure(runners, SIZE);
  show('100 MiB of unknown length', large);
  const small = await measure(runners, SMALL);
  show('1 KiB', small);
  const medianOf = (times: Times, name: string) => median(times.get(name) ?? []);
  const leastOf = (times: Times, name: string) => Math.min(...(times.get(name) ?? []));
  const best = Math.min(...Object.keys(others).map((name) => medianOf(large, name)));
  const least = leastOf(large, 'Genway');
  const missed = [
    ...(least > BARS.milliseconds ? ['a large file'] : []),
    ...(medianOf(large, 'Genway') > BARS.ofBestLibrary * best ? ['more than half of the best library'] : []),
    ...(leastOf(small, 'Genway') > BARS.milliseconds ? ['a small file'] : []),
  ];
  if (missed.length > 0) throw new Error(`Not within its bar: ${missed.join(', ')}`);
  console.log(`\nGenway: ${least.toFixed(1)} ms in the best round. All are within their bars.`);
} finally {
  for (const { end } of runners) end();
}
