import type { Result } from './verify.ts';

export interface Verification {
  readonly baseUrl: string;
  readonly at: Date;
  readonly results: readonly Result[];
}

/** A page to keep: which stage was checked, when, and with which result. */
export function report({ baseUrl, at, results }: Verification): string {
  const broken = results.filter(({ outcome }) => outcome === 'broken').length;
  const verdict =
    broken === 0 ? 'Every promise was kept.' : `${broken} of ${results.length} promises were broken.`;
  return [
    `# ${baseUrl}`,
    '',
    `Verified at ${at.toISOString()}. ${verdict}`,
    '',
    '| the stage … | | ms | |',
    '|---|---|---|---|',
    ...results.map(
      ({ promise, outcome, milliseconds, text }) =>
        `| ${promise} | ${outcome} | ${milliseconds} | ${inCell(text)} |`,
    ),
    '',
  ].join('\n');
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
