import * as v from 'valibot';
import type { Difference } from './differences.ts';

/** What Jest writes with `--json`. */
export const jestReportSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    testResults: v.array(
      v.object({
        name: v.string(),
        status: v.string(),
        assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })),
      }),
    ),
  }),
);
export type JestReport = v.InferOutput<typeof jestReportSchema>;

export interface Verdict {
  readonly passed: number;
  /** Failed as the difference says. */
  readonly explained: number;
  /** Failed otherwise. */
  readonly unexplained: readonly string[];
  /** Passed although a difference says that they fail. */
  readonly outdated: readonly string[];
}

export function judge({ testResults }: JestReport, differences: readonly Difference[]): Verdict {
  let passed = 0;
  let explained = 0;
  const unexplained: string[] = [];
  const outdated: string[] = [];
  for (const { name: file, status, assertionResults } of testResults) {
    // A file that could not be loaded has no tests.
    if (assertionResults.length === 0 && status !== 'passed') unexplained.push(file);
    for (const { fullName, status: told } of assertionResults) {
      const differs = differences.some(
        ({ file: end, test }) => file.endsWith(end) && fullName.startsWith(test),
      );
      const title = `${file}: ${fullName}`;
      if (told === 'passed') {
        passed++;
        if (differs) outdated.push(title);
      } else if (differs) explained++;
      else unexplained.push(title);
    }
  }
  return { passed, explained, unexplained, outdated };
}
