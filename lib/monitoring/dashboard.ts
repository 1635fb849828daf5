import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmRule } from './alarm-rule.ts';
import { metricOf } from './cloudwatch.ts';
import type { Page, Panel } from './measure.ts';
import { thresholdsOf } from './thresholds.ts';

const FULL_WIDTH = 24;

export interface DashboardProps {
  readonly name: string;
  readonly page: Page;
  /** The existing alarms; a panel shows their thresholds. */
  readonly rules: readonly AlarmRule[];
  readonly alarms: readonly IAlarm[];
}

/** A page of panels as a CloudWatch dashboard. */
export class PageDashboard extends Dashboard {
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
