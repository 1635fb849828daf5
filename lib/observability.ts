import type { NestedStack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { alarmRules } from './monitoring/alarm-rules.ts';
import { Alarms } from './monitoring/alarms.ts';
import { callersPage } from './monitoring/callers.ts';
import { PageDashboard } from './monitoring/dashboard.ts';
import { machineryPage } from './monitoring/machinery.ts';
import { dashboardName, type Plant } from './monitoring/measure.ts';
import { queries, savedAs } from './monitoring/queries.ts';
import type { StageConfig } from './stage-config.ts';

export interface ObservabilityProps {
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
      const name = dashboardName(config.name, page.name);
      new PageDashboard(this, page.name, { name, page, rules, alarms: this.alarms.all });
    }
    if (config.platform === 'aws') saveQueries(watch, config);
  }
}

function saveQueries(watch: NestedStack, { name: stage }: StageConfig): void {
  for (const [name, { text }] of Object.entries(queries)) {
    new CfnQueryDefinition(watch, `Query-${name}`, {
      name: savedAs(stage, name),
      // A prefix covers all of the stage's logs; a list of groups could have at most 50.
      queryString: `SOURCE logGroups(namePrefix: ["/Genway-${stage}/"])\n| ${text}`,
    });
  }
}
