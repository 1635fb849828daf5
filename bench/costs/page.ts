import { type Cost, type IdleCosts, idleCosts } from '../../bin/deploy/idle-costs.ts';
import { priceIn, pricesTable, REGIONS, type Region } from '../../bin/deploy/prices.ts';
import { synthesize, synthesizeWatch } from '../../test/infra/template.ts';
import { dollarsOf, LOADS } from '../scale/dollars.ts';
import type { ReadCost } from '../scale/job-cost.ts';
import type { JobCost } from '../scale/limits.ts';

export const rounded = (value: number): string =>
  value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');

/** Numbers are rounded, and text is taken as it is. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)));
  return [head, head.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A job whose provider is polled for its end, and one whose provider calls. */
export interface JobCosts {
  readonly polled: JobCost;
  readonly called: JobCost;
}

/** What one job uses: a table of `docs/scale.md`. */
export function usesTable({ polled, called }: JobCosts): string {
  const [rows, ofCalled] = [usesOf(polled), usesOf(called)];
  return markdownTable(
    ['a job', 'polled', 'with a callback'],
    rows.map(([what, count], i) => [what, count, ofCalled[i]?.[1] ?? 0]),
  );
}

const usesOf = ({ requests, messages, writeUnits, reads, logBytes }: JobCost): [string, number][] => [
  ['requests to the API', requests],
  ...Object.entries(messages).map(([program, count]): [string, number] => [
    `messages to the ${program}`,
    count,
  ]),
  ...[...writeUnits].map(([name, units]): [string, number] => [`write units of \`${name}\``, units]),
  ['reads of DynamoDB', reads],
  ['bytes of its functions’ log', logBytes],
];

/** What a million jobs cost: a table of both pages. */
export function jobsTable({ polled, called }: JobCosts, region: Region): string {
  const usual = 'busy, results of 1 MiB';
  const columns = [
    ...Object.values(LOADS).map((load) => dollarsOf(polled, load, region)),
    dollarsOf(called, LOADS[usual], region),
  ];
  const [first = []] = columns;
  const rows = first.map(([what], i) => [what, ...columns.map((column) => column[i]?.[1] ?? 0)]);
  return markdownTable(
    [`a million jobs of two minutes in ${region}, USD`, ...Object.keys(LOADS), `${usual}, with callbacks`],
    rows,
  );
}

/** Assumed: a read waits twice for DynamoDB. */
const SECONDS_OF_READ = 0.02;
const MEMORY_GIGABYTES = 0.5;
/** What API Gateway logs of a request, and Lambda of a run. */
const BYTES_OF_LOGS = 400 + 400;

function requestDollars({ reads, writeUnits, logBytes }: ReadCost, region: Region): [string, number][] {
  const price = (name: Parameters<typeof priceIn>[1]) => priceIn(region, name);
  const parts: [string, number][] = [
    ['API Gateway', price('requests')],
    [
      'CloudFront, with the function that sends large uploads elsewhere',
      price('edgeRequests') + price('edgeFunction'),
    ],
    ['Lambda', price('runs') + SECONDS_OF_READ * MEMORY_GIGABYTES * price('seconds')],
    ['DynamoDB', reads * price('reads') + writeUnits * price('writes')],
    ['logs', ((logBytes + BYTES_OF_LOGS) / 1000) * price('logs')],
  ];
  const all = parts.reduce((sum, [, dollars]) => sum + dollars, 0);
  return [...parts, ['in all', all], ['and the firewall, where there is one', price('firewallRequests')]];
}

function requestsTable(cost: ReadCost): string {
  const columns = REGIONS.map((region) => requestDollars(cost, region));
  const [first = []] = columns;
  return markdownTable(
    ['a million requests for a job, USD', ...REGIONS],
    first.map(([what], i) => [what, ...columns.map((column) => (column[i]?.[1] ?? 0).toFixed(2))]),
  );
}

export interface Costs {
  readonly stages: CostedStages;
  readonly jobs: JobCosts;
  readonly read: ReadCost;
}

/** The generated part of `docs/deploy.md`. */
export const costTables = ({ stages, jobs, read }: Costs): string =>
  [
    ...REGIONS.map((region) => idleTable(region, stages[region])),
    requestsTable(read),
    ...REGIONS.map((region) => jobsTable(jobs, region)),
    pricesTable(),
  ].join('\n\n');

/** A row for each part and a column for each stage. */
export function idleTable(region: Region, stages: Readonly<Record<string, IdleCosts>>): string {
  const columns = Object.values(stages);
  const names = columns[0]?.parts.map(({ what }) => what) ?? [];
  const cell = ({ count, dollars }: Cost): string => (count === 0 ? '—' : `${count}: ${dollars.toFixed(2)}`);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const sums = (what: string, of: (costs: IdleCosts) => number) =>
    row([what, ...columns.map((costs) => `**${of(costs).toFixed(2)}**`)]);
  return [
    row([`idle in ${region}, USD a month`, ...Object.keys(stages)]),
    row(['---', ...columns.map(() => '---')]).replaceAll(' ', ''),
    ...names.map((what, i) =>
      row([what, ...columns.map(({ parts }) => cell(parts[i] ?? { what, count: 0, dollars: 0 }))]),
    ),
    sums('**in all**', ({ total }) => total),
    sums('in an account without other alarms and dashboards', ({ total, free }) => total - free),
    sums('in all, once keys have been rotated twice', ({ total, rotations }) => total + rotations),
  ].join('\n');
}

export type CostedStages = Readonly<Record<Region, Readonly<Record<string, IdleCosts>>>>;

/** The stages whose costs are documented, by the names that the pages use. */
export async function costedStages(): Promise<CostedStages> {
  const stagesIn = async (region: Region) => ({
    '`prod`': await idle('prod', { region }),
    '`prod` with `"largeUploads": "off"`': await idle('prod', { region, largeUploads: 'off' }),
    '`dev`': await idle('dev', { region }),
  });
  const [first, second] = REGIONS;
  return { [first]: await stagesIn(first), [second]: await stagesIn(second) };
}

const idle = async (name: string, changes: { region: Region; largeUploads?: 'off' }): Promise<IdleCosts> =>
  idleCosts(
    [(await synthesize(name, changes)).toJSON(), (await synthesizeWatch(name, changes)).toJSON()],
    changes.region,
  );
