import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metricOf } from './cloudwatch.ts';
import type { Page, Panel } from './measure.ts';

const FULL_WIDTH = 24;

export interface DashboardProps {
  /** Dashboards are the account's, of all its regions: the name must be the stage's alone. */
  readonly name: string;
  readonly page: Page;
  readonly alarms: readonly IAlarm[];
}

/** A page of panels as CloudWatch draws it. */
export class PageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { name, page, alarms }: DashboardProps) {
    super(scope, id, { dashboardName: name });
    this.addWidgets(
      new TextWidget({ width: 8, height: 4, markdown: `# ${name}\n${page.text}` }),
      new AlarmStatusWidget({ width: 16, height: 4, title: 'Alarms', alarms: [...alarms] }),
    );
    for (const row of page.rows) {
      if (row.length > 0) this.addWidgets(...row.map((panel) => graph(panel, FULL_WIDTH / row.length)));
    }
  }
}

const graph = ({ title, lines }: Panel, width: number): GraphWidget =>
  new GraphWidget({
    title,
    width,
    height: 6,
    left: lines.map((line) => metricOf(line).with({ label: line.label })),
  });
