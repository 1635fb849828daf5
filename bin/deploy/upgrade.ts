import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../../lib/bundling/folders.ts';
import { settingEntries } from '../../lib/stage/schema.ts';
import { shellWord, visible, visibleLines } from '../../local/terminal/text.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type Cli, CommandFailed } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';
import { deploymentCommand, deployStage } from './command.ts';

export const upgradeCommand = (cli: Cli, stages: DeployerStages) =>
  deploymentCommand(
    'upgrade',
    `Upgrades a stage to the version of this command. First shows what each newer version
changes, deprecates or removes, and which settings were added or removed. Then deploys, as genway deploy does.
Requires AWS credentials.`,
  ).action(async (asked) => {
    const deployer = await stages.deployer(asked.config, cli.now(), cli.interrupted).catch(refuse);
    try {
      const outputs = await deployer.outputs();
      if (outputs.ApiId === undefined)
        throw new CommandFailed(
          visible(
            `${deployer.stack} has not been deployed yet; deploy it with npx genway deploy --config ${shellWord(asked.config)}`,
          ),
        );
      const from = outputs.Version ?? UNTOLD;
      checkStep(from, manifest.version);
      for (const line of stepLines(from, manifest.version, readReleases()))
        cli.stdout.write(`${visibleLines(line)}\n`);
      await deployStage(deployer, asked, cli, stages);
    } finally {
      deployer.close();
    }
  });

/** A stack is found by its settings alone, so these are read before the versions can be compared. */
function refuse(error: Error): never {
  if (!error.message.includes(' is not a setting')) throw error;
  const advice =
    'Remove from the file every setting that this version no longer has; CHANGELOG.md lists removed settings';
  throw new CommandFailed(`${error.message}\n${advice}`, { cause: error });
}

/** The last version whose stack does not tell it. */
const UNTOLD = '0.1.0';

const partsOf = (version: string): number[] => version.split(/[.-]/, 3).map(Number);

/** Negative if the first is the earlier one. */
function compareVersions(one: string, other: string): number {
  const [parts, others] = [partsOf(one), partsOf(other)];
  const at = parts.findIndex((part, i) => part !== others[i]);
  return at === -1 ? 0 : (parts[at] ?? 0) - (others[at] ?? 0);
}

/** @throws CommandFailed if this is no step forward, or one over a whole major version */
export function checkStep(from: string, to: string): void {
  if (compareVersions(from, to) > 0) {
    throw new CommandFailed(
      `The stage runs ${from}, but this command has version ${to}: to go back, see “Rollback” in docs/deploy.md`,
    );
  }
  const [[major = 0], [next = 0]] = [partsOf(from), partsOf(to)];
  if (next > major + 1) {
    throw new CommandFailed(
      `The stage runs ${from}, but this command has version ${to}: upgrade to the last ${major + 1}.x first, because each major version ` +
        'reads only its own data and that of the one before',
    );
  }
}

/** What each version has changed, and which settings each released one had. */
export interface Releases {
  readonly changelog: string;
  readonly settings: Readonly<Record<string, readonly string[]>>;
}

const settingsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.array(v.string())));

export const readReleases = (): Releases => ({
  changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  settings: v.parse(settingsSchema, readFileSync(join(ROOT, 'config/settings.released.json'), 'utf8')),
});

/** What changes between two versions: for each of them what must be done, in full, and how much else there is. */
export function stepLines(
  from: string,
  to: string,
  { changelog, settings }: Releases,
  known = KNOWN_SETTINGS,
): string[] {
  if (compareVersions(from, to) === 0) return [`The stage already runs ${to}`];
  const had = settings[from];
  const isNew = (name: string) => had !== undefined && !had.includes(name);
  const { optional, required } = known;
  const gone = had?.filter((name) => ![...optional, ...required].includes(name)) ?? [];
  return [
    `From ${from} to ${to}`,
    ...versionsIn(changelog)
      .filter(({ version }) => version === undefined || compareVersions(version, from) > 0)
      .filter(({ version }) => version === undefined || compareVersions(version, to) <= 0)
      .flatMap(({ title, parts }) => [`\n${title}`, ...parts.map(partText)]),
    '',
    ...named('New optional settings', optional.filter(isNew)),
    ...named('New required settings', required.filter(isNew)),
    ...named('Removed settings', gone),
  ];
}

const named = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];

interface KnownSettings {
  readonly optional: readonly string[];
  readonly required: readonly string[];
}

/** The settings of this version. */
export const KNOWN_SETTINGS: KnownSettings = {
  optional: Object.keys(settingEntries).filter((name) => !isRequired(name)),
  required: Object.keys(settingEntries).filter(isRequired),
};

function isRequired(name: string): boolean {
  const { [name]: schema }: Readonly<Record<string, { readonly type: string }>> = settingEntries;
  return schema !== undefined && !['optional', 'exact_optional'].includes(schema.type);
}

/** Parts that say what must be done, or known, before an upgrade. */
const MUST_BE_READ = ['Changed', 'Deprecated', 'Removed', 'Security'];

const partText = ({ name, text }: Part): string =>
  MUST_BE_READ.includes(name)
    ? `${name}:\n${text}`
    : `${name}: see CHANGELOG.md (entries: ${text.match(/^- /gm)?.length ?? 0})`;

interface Part {
  readonly name: string;
  readonly text: string;
}

/** The versions of a changelog, the newest first. What is not released yet has no version, and is new in every one. */
export function versionsIn(changelog: string) {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...parts] = section.split(/^### /m);
      const version = /^\[(\d+\.\d+\.\d+)\]/.exec(title)?.[1];
      return { title: title.trim(), version, parts: parts.map(partOf) };
    });
}

function partOf(text: string): Part {
  const end = text.indexOf('\n');
  return { name: text.slice(0, end), text: text.slice(end).trim() };
}
