import { type NestedStack, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type StageConfig, titleOf } from '../stage/config.ts';
import { type AlarmRule, thresholdsOf } from './alarm-rule.ts';
import { alarmRules } from './alarm-rules.ts';
import { Alarms } from './alarms.ts';
import { metricOf } from './cloudwatch.ts';
import { dashboardName, type Page, type Panel, type Plant } from './measures.ts';
import { callersPage, machineryPage } from './pages.ts';
import { queries, savedAs } from './queries.ts';

interface ObservabilityProps {
  readonly config: StageConfig;
  readonly plant: Plant;
  readonly watch: NestedStack;
}

/** Two dashboards, the alarms, and the log queries of the alarms' runbook pages. */
export class Observability extends Construct {
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { config, plant, watch }: ObservabilityProps) {
    super(scope, id);
    const rules = alarmRules(plant);
    this.alarms = new Alarms(this, 'Alarms', { config, rules, watch });
    for (const page of [callersPage(plant), machineryPage(plant)]) {
      const name = dashboardName(titleOf(config), page.name);
      new PageDashboard(this, page.name, { name, page, rules, alarms: this.alarms.all });
    }
    if (config.platform === 'aws') saveQueries(watch, config);
  }
}

function saveQueries(watch: NestedStack, config: StageConfig): void {
  const { stackName } = Stack.of(watch).nestedStackParent ?? watch;
  for (const [name, { text }] of Object.entries(queries)) {
    new CfnQueryDefinition(watch, `Query-${name}`, {
      name: savedAs(config, name),
      // A prefix covers all of the stage's logs; a list of groups could have at most 50.
      queryString: `SOURCE logGroups(namePrefix: ["/${stackName}/"])\n| ${text}`,
    });
  }
}

const FULL_WIDTH = 24;

interface DashboardProps {
  readonly name: string;
  readonly page: Page;
  /** The existing alarms; a panel shows their thresholds. */
  readonly rules: readonly AlarmRule[];
  readonly alarms: readonly IAlarm[];
}

/** A page of panels as a CloudWatch dashboard. */
class PageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { name, page, rules, alarms }: DashboardProps) {
    super(scope, id, { dashboardName: name });
    this.addWidgets(
      new TextWidget({ width: 8, height: 4, markdown: `# ${name}\n${page.text}` }),
      new AlarmStatusWidget({ width: 16, height: 4, title: 'Alarms', alarms: [...alarms] }),
    );
    for (const row of page.rows) {
      const width = Math.floor(FULL_WIDTH / row.length);
      if (row.length > 0) this.addWidgets(...row.map((panel) => graph(panel, width, rules)));
    }
  }
}

const graph = (panel: Panel, width: number, rules: readonly AlarmRule[]): GraphWidget =>
  new GraphWidget({
    title: panel.title,
    width,
    height: 6,
    left: panel.lines.map((line) => metricOf(line).with({ label: line.label })),
    leftYAxis: { label: panel.unit, showUnits: false },
    leftAnnotations: thresholdsOf(panel, rules).map(({ label, value }) => ({ label, value })),
  });
