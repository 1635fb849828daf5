import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';

interface Bench {
  readonly name: string;
  readonly title: string;
  /** What it asks. */
  readonly bar: string;
}

const BENCHES: readonly Bench[] = [
  {
    name: 'upload',
    title: 'Uploads of 100 MiB',
    bar: '0.8 of a bare pipe, ten at once 0.75; 1.5 × its CPU; a refusal in 5 ms, which asks nothing of S3',
  },
  {
    name: 'first-byte',
    title: 'The first byte of an upload in S3',
    bar: '10 ms in the best rounds, of a large file and of a small one; half of the best library',
  },
  {
    name: 'hostile-bodies',
    title: 'Uploads that hide their boundary',
    bar: '1.6 × the CPU of an ordinary file and 0.65 of its speed; with a boundary that no client makes 3 × and 0.33',
  },
  {
    name: 'downloads',
    title: 'Downloads',
    bar: '0.9 of the speed with a signed link at hand; 100 ms more to the first byte',
  },
  {
    name: 'cold-start',
    title: 'Cold starts',
    bar: '1.25 × a bare DynamoDB client bundled the plain way, in CPU and in bytes',
  },
  {
    name: 'handlers',
    title: 'Warm handlers',
    bar: '1.3 × the CPU of a bare function with the same AWS calls',
  },
  { name: 'type-detection', title: 'The types of files', bar: '0.55 of a byte loop for every kind' },
  { name: 'parsing-cost', title: 'What the worst bytes cost', bar: '20 × reading them' },
  { name: 'longest-turn', title: 'The longest turn of the upload server', bar: '15 ms' },
  {
    name: 'stop',
    title: 'Hostile uploads, and Ctrl-C in the middle of them',
    bar: 'every upload beside them is a 200; an answer in 3 s, an end in 5 s',
  },
  {
    name: 'poller',
    title: 'Steps of a poller',
    bar: '8 × one message after another, with ten calls at once; beside a slow provider 0.75 of that, beside endless answers 0.6; half of its part of a core; 2 calls of AWS a message',
  },
  {
    name: 'ends',
    title: 'From the end at the provider to the webhook',
    bar: '1.5 s with callbacks, 5 s for 99 of 100',
  },
  { name: 'first-paint', title: "The console's first paint", bar: 'within 200 ms on the local run' },
];

/** A bench that hangs is ended, and the others still run. */
const LONGEST_MILLISECONDS = 30 * 60_000;

interface Result extends Bench {
  readonly isMet: boolean;
  readonly minutes: number;
  readonly said: string;
}

function run(bench: Bench): Result {
  const begun = performance.now();
  process.stderr.write(`${bench.name} …\n`);
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, `${bench.name}.ts`)],
    { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2, timeout: LONGEST_MILLISECONDS },
  );
  const minutes = (performance.now() - begun) / 60_000;
  const failure =
    error === undefined
      ? (/^Error: .*$/m.exec(stderr)?.[0] ?? (status === 0 ? '' : `It ended with ${status}.`))
      : `It did not end by itself: ${error}`;
  process.stderr.write(`${stdout}\n${status === 0 ? '' : stderr}${error === undefined ? '' : failure}\n`);
  return { ...bench, isMet: status === 0, minutes, said: `${stdout.trim()}\n\n${failure}`.trim() };
}

function machine(): string {
  const [cpu] = cpus();
  const load = loadavg()[0] ?? 0;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
    `Node.js ${process.version}`,
    `a load of ${load.toFixed(1)} at the beginning`,
    `commit ${commit}`,
    new Date().toISOString().slice(0, 10),
  ].join(', ');
}

const summary = (results: readonly Result[]): string =>
  results
    .map(({ name, title, bar, isMet, minutes }) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      return `| [${title}](#${anchor}) | ${bar} | ${isMet ? 'met' : '**not met**'} | \`npx node bench/${name}.ts\` | ${minutes.toFixed(1)} |`;
    })
    .join('\n');

const sections = (results: readonly Result[]): string =>
  results.map(({ title, bar, said }) => `## ${title}\n\nThe bar: ${bar}.\n\n${said}\n`).join('\n');

/** Of programs that are not among these, such as those that need a running stage. */
function otherSections(page: string): string {
  const isOurs = (section: string) => BENCHES.some(({ title }) => section.startsWith(`## ${title}\n`));
  return page
    .split(/^(?=## )/m)
    .slice(1)
    .filter((section) => !isOurs(section))
    .join('');
}

const PAGE = join(import.meta.dirname, 'RESULTS.md');
const command = new Command('npm run bench --')
  .description('Runs the benches for half an hour and writes bench/RESULTS.md. Fails where a bar is missed.')
  .argument('[name]', 'runs the benches whose names have it, and writes nothing', '')
  .parse();
const [wanted] = command.processedArgs;
const where = machine();
const results = BENCHES.filter(({ name }) => name.includes(wanted)).map(run);
if (wanted === '') {
  const text = `# Results

What the programs of this folder said: \`npm run bench\` writes this page. On ${where}.

Ratios come from one run, so that a busy machine counts on both sides: trust them, and no figure alone. Each section says of how
many rounds its figures are medians; a spread is from the least to the most of them. The peers of the uploads are pinned in
\`bench/upload/peers\`, and measured where they are installed.

Nothing of this page ran on AWS. It has no figures of CloudFront, of API Gateway, of S3 itself or of Lambda's own starts: those need an
account and a stage.

| | the bar | | command | minutes |
|---|---|---|---|---|
${summary(results)}

${sections(results)}
${otherSections(readFileSync(PAGE, 'utf8'))}`;
  writeFileSync(PAGE, text);
}
const missed = results.filter(({ isMet }) => !isMet).map(({ name }) => name);
if (missed.length > 0) throw new Error(`Not met: ${missed.join(', ')}`);
