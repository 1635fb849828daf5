import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { dashboardOf } from '../../lib/monitoring/alarm-rule.ts';
import { queries } from '../../lib/monitoring/queries.ts';
import { alarmsOf, rules, watchedStage } from './watched-stage.ts';

const { prod, watch } = await watchedStage();
const runbook = readFileSync('docs/runbook.md', 'utf8');

/** Whether an alarm notifies somebody by itself. */
const isWhole = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.includes('What to do');

describe('the runbook', () => {
  const sectionOf = (page: string) =>
    runbook.split(/^## /m).find((section) => section.startsWith(`${page}\n`)) ?? '';

  test.each([...new Set(rules.map(({ page }) => page))])('has a page: %s', (page) => {
    for (const part of ['**What it means.**', '**Look.**', '**Do.**'])
      expect(sectionOf(page)).toContain(part);
  });

  const rows = () => [
    ...sectionOf('The alarms').matchAll(/^\| \[(.+)\]\(#(.+)\) \| (.+?) \| (\[\w+\]) \| .+ \|$/gm),
  ];

  test('has the section that an alarm’s description ends with', () => {
    const anchors = new Set(rows().map(([, , anchor]) => `What to do: docs/runbook.md#${anchor}`));
    const ends = alarmsOf(watch)
      .filter(isWhole)
      .map(({ AlarmDescription }) => AlarmDescription.split('\n').at(-1));
    expect(new Set(ends)).toEqual(anchors);
  });

  test('links the two dashboards of prod', () => {
    for (const { Properties } of Object.values(prod.findResources('AWS::CloudWatch::Dashboard'))) {
      expect(runbook).toMatch(new RegExp(`^\\[\\w+\\]: https://.*/${Properties.DashboardName}$`, 'm'));
    }
  });

  test('begins with a table of all alarms, the topics that they go to and their dashboards', () => {
    const told = rows().map(([, page, , topics, dashboard]) => `${page}: ${topics}, ${dashboard}`);
    const byPage = Map.groupBy(rules, ({ page }) => page);
    const raised = [...byPage].map(([page, some]) => {
      const topics = new Set(some.map(({ severity }) => `\`${severity}\``));
      return `${page}: ${[...topics].toSorted().join(', ')}, [${dashboardOf[page]}]`;
    });
    expect(told.toSorted()).toEqual(raised.toSorted());
  });

  test.each(Object.entries(queries))('has exactly the query that is saved as %s', (name, { page, text }) => {
    expect(sectionOf(page)).toContain(`\`${name}\``);
    expect(sectionOf(page).replaceAll(/\s+/g, ' ')).toContain(text);
    watch.hasResourceProperties('AWS::Logs::QueryDefinition', {
      Name: `Genway/prod/${name}`,
      QueryString: `SOURCE logGroups(namePrefix: ["/Genway-prod/"])\n| ${text}`,
    });
  });

  test('only searches for log messages that the code writes', () => {
    const messages = Object.values(queries).flatMap(({ text }) =>
      [...text.matchAll(/message (?:= |in \[)("[^\]|]*?")(?:\]| |$)/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/"([^"]+)"/g)].map(([, message]) => message),
      ),
    );
    expect(messages.length).toBeGreaterThan(8);
    const written = new Set(loggedMessages());
    expect(messages.filter((message) => !written.has(message ?? ''))).toEqual([]);
  });
});

function loggedMessages(): string[] {
  const sources = globSync('functions/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:\.(?:info|warn|error)\(|message: )'([^']+)'/g)].map(
      ([, message = '']) => message,
    ),
  );
}
