import { randomBytes } from 'node:crypto';
import { systemClock } from '../functions/clock.ts';
import { openDeployment } from './admin/deployment.ts';
import { runAdmin } from './admin/run.ts';

process.exitCode = await runAdmin(
  process.argv.slice(2),
  { open: openDeployment, now: systemClock, random: randomBytes },
  {
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
  },
);
