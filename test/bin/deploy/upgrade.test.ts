import { describe, expect, test } from '@jest/globals';
import type { Deployer } from '../../../bin/deploy/deployer.ts';
import { releaseNotes } from '../../../bin/deploy/release-notes.ts';
import { checkStep, readReleases, stepLines, versionsIn } from '../../../bin/deploy/upgrade.ts';
import { ok } from '../../../bin/doctor/finding.ts';
import { readSettings, WrongSettings } from '../../../lib/stage/read-settings.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { genway } from '../cli/genway.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something that waits.

## [0.3.0] - 2026-12-24

### Changed

- \`domain\` needs a certificate. Set
  \`certificateArn\`.

### Fixed

- One thing.
- Another.

## [0.2.0] - 2026-12-01

### Removed

- The setting \`old\`.

## [0.1.0] - 2026-11-26

### Changed

- Everything.
`;
const RELEASES = { changelog: CHANGELOG, settings: { '0.1.0': ['old', 'data'], '0.2.0': ['data'] } };
const KNOWN = { optional: ['data', 'domain'], required: ['region'] };

describe('what an upgrade says', () => {
  test('is what each version between the two asks for, and how the settings have changed', () => {
    expect(stepLines('0.1.0', '0.3.0', RELEASES, KNOWN).join('\n')).toBe(`From 0.1.0 to 0.3.0

[Unreleased]
Added: see CHANGELOG.md (entries: 1)

[0.3.0] - 2026-12-24
Changed:
- \`domain\` needs a certificate. Set
  \`certificateArn\`.
Fixed: see CHANGELOG.md (entries: 2)

[0.2.0] - 2026-12-01
Removed:
- The setting \`old\`.

New optional settings: domain
New required settings: region
Removed settings: old`);
  });

  test('leaves out what the stage has already', () => {
    const said = stepLines('0.2.0', '0.3.0', RELEASES, KNOWN).join('\n');
    expect(said).not.toMatch(/\[0\.[12]\.0\]|gone/);
    expect(stepLines('0.3.0', '0.3.0', RELEASES, KNOWN)).toEqual(['The stage already runs 0.3.0']);
  });

  test.each([
    ['0.2.0', '0.1.9', 'Rollback'],
    ['1.10.0', '1.9.0', 'Rollback'],
    ['0.9.0', '2.0.0', 'upgrade to the last 1.x first'],
    ['1.0.0', '4.1.0', 'upgrade to the last 2.x first'],
  ])('refuses to go from %s to %s', (from, to, why) => {
    expect(() => checkStep(from, to)).toThrow(why);
  });

  test.each([
    ['0.1.0', '0.1.0'],
    ['0.1.0', '0.10.0'],
    ['1.9.2', '1.10.0'],
    ['0.9.0', '1.4.2'],
  ])('goes from %s to %s', (from, to) => {
    expect(() => checkStep(from, to)).not.toThrow();
  });
});

describe('genway upgrade', () => {
  async function upgrade(outputs: Readonly<Record<string, string>>) {
    const did: string[] = [];
    const deployer: Deployer = {
      config: readSettings('mine', {}),
      stack: 'Genway-mine',
      region: 'us-east-1',
      prepare: async () => {
        did.push('prepare');
        const idle = { parts: [], total: 1, rotations: 0, free: 0 };
        return { isFirst: false, changes: [], idle, pricedIn: 'us-east-1' };
      },
      execute: async () => void did.push('execute'),
      publish: async () => '',
      discard: async () => void did.push('discard'),
      outputs: async () => outputs,
      close: () => void did.push('close'),
    };
    const stages = { deployer: async () => deployer, examine: async () => [ok('stack', 'there')] };
    return {
      ...(await genway(['upgrade', '--config', '/a/mine.jsonc', '--yes', '--no-verify'], {}, stages)),
      did,
    };
  }

  test('first says what is between the versions, and then deploys', async () => {
    const { code, out, did } = await upgrade({ ApiId: 'a1', ApiUrl: 'https://a/api/v1', Version: '0.1.0' });
    expect([code, did]).toEqual([0, ['prepare', 'close']]);
    expect(out).toMatch(/^(The stage runs|From) 0\.1\.0 [\s\S]*\nok {5}stack[\s\S]*\nNo changes\n/);
  });

  test('takes a stage that does not tell its version for one of the first release', async () => {
    expect((await upgrade({ ApiId: 'a1' })).out).toMatch(/^(The stage runs|From) 0\.1\.0 /);
  });

  test('prepares nothing for a later stage, and for one that is not there', async () => {
    const later = await upgrade({ ApiId: 'a1', Version: '9.0.0' });
    expect([later.code, later.err, later.did]).toEqual([
      1,
      expect.stringContaining('The stage runs 9.0.0'),
      ['close'],
    ]);
    const none = await upgrade({});
    expect([none.code, none.err]).toEqual([
      1,
      'Genway-mine has not been deployed yet; deploy it with npx genway deploy --config /a/mine.jsonc\n',
    ]);
  });

  test('says of a setting that it does not know that it may have been removed', async () => {
    const deployer = async () =>
      Promise.reject(
        new WrongSettings('Stage "mine" has invalid settings (mine.json):\n  old is not a setting'),
      );
    const { code, err } = await genway(['upgrade', '--config', '/a/mine.jsonc'], {}, { deployer });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        / {2}old is not a setting\nRemove from the file every setting that this version no longer has/,
      ),
    ]);
  });
});

describe('the notes of a release', () => {
  const ready = CHANGELOG.replace('### Added\n\n- Something that waits.\n\n', '');
  const releases = { changelog: ready, settings: { '0.3.0': ['domain', 'data', 'region'] } };

  test('are what the changelog says of it', () => {
    expect(releaseNotes('0.3.0', releases, KNOWN)).toBe(
      '### Changed\n\n- `domain` needs a certificate. Set\n  `certificateArn`.\n\n### Fixed\n\n- One thing.\n- Another.\n',
    );
  });

  test.each([
    ['0.4.0', releases, 'CHANGELOG.md must list all changes under [0.4.0]'],
    ['0.3.0', { ...releases, changelog: CHANGELOG }, 'below an empty [Unreleased]'],
    ['0.3.0', { ...releases, settings: {} }, 'must list the settings of 0.3.0: ["data","domain","region"]'],
  ])('are refused for %s while something is not written', (version, given, why) => {
    expect(() => releaseNotes(version, given, KNOWN)).toThrow(why);
  });
});

describe('the released versions', () => {
  const { changelog, settings } = readReleases();
  const versions = versionsIn(changelog);
  const released = versions.flatMap(({ version }) => version ?? []);

  test('stand in the changelog from the newest to the oldest, below what is not released', () => {
    expect(versions[0]?.title).toBe('[Unreleased]');
    for (const { title } of versions.slice(1)) expect(title).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
    const numbers = released.map((version) => version.split('.').map(Number));
    expect(numbers).toEqual(numbers.toSorted(compare).toReversed());
    expect(new Set(released).size).toBe(released.length);
  });

  test('each tell their settings, and none is later than the version of this checkout', () => {
    expect(Object.keys(settings).toSorted()).toEqual(released.toSorted());
    for (const version of released) expect(() => checkStep(version, manifest.version)).not.toThrow();
  });
});

const compare = (one: readonly number[], other: readonly number[]): number =>
  one.map((n, i) => n - (other[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
