import manifest from '../../package.json' with { type: 'json' };
import { KNOWN_SETTINGS, type Releases, readReleases, versionsIn } from './upgrade.ts';

/**
 * What a version changes, for the page of its release.
 * @throws Error that says what must be written before it is released
 */
export function releaseNotes(
  version: string,
  { changelog, settings }: Releases,
  known = KNOWN_SETTINGS,
): string {
  const [waiting, newest] = versionsIn(changelog);
  if (newest?.version !== version || waiting?.parts.length !== 0)
    throw new Error(
      `CHANGELOG.md must list all changes under [${version}] - <date>, below an empty [Unreleased]`,
    );
  const names = [...known.optional, ...known.required].toSorted();
  if (JSON.stringify(settings[version]?.toSorted()) !== JSON.stringify(names))
    throw new Error(
      `config/settings.released.json must list the settings of ${version}: ${JSON.stringify(names)}`,
    );
  return newest.parts.map(({ name, text }) => `### ${name}\n\n${text}\n`).join('\n');
}

if (import.meta.main) process.stdout.write(releaseNotes(manifest.version, readReleases()));
