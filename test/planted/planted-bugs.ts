import { BROADCAST_BUGS } from './bugs/broadcast.ts';
import { DOWNLOAD_BUGS } from './bugs/downloads.ts';
import { GATE_BUGS } from './bugs/gate.ts';
import { JOB_STEP_BUGS } from './bugs/job-steps.ts';
import { MONEY_BUGS } from './bugs/money.ts';
import { SHARED_BUGS } from './bugs/shared.ts';
import { WEBHOOK_BUGS } from './bugs/webhooks.ts';
import { WORKER_BUGS } from './bugs/workers.ts';
import { WORKSPACE_BUGS } from './bugs/workspaces.ts';
import type { PlantedBug } from './planted-bug.ts';

/** All planted bugs. `plant.ts` checks that each is found. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...JOB_STEP_BUGS,
  ...WORKER_BUGS,
  ...MONEY_BUGS,
  ...WEBHOOK_BUGS,
  ...BROADCAST_BUGS,
  ...GATE_BUGS,
  ...DOWNLOAD_BUGS,
  ...WORKSPACE_BUGS,
  ...SHARED_BUGS,
];
