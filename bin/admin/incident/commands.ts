import { Command } from '@commander-js/extra-typings';
import { examplesText } from '../../cli/api-command.ts';
import type { Admin } from '../command.ts';
import { drainCommand, undrainCommand } from './drain.ts';
import { explainCommand } from './explain.ts';
import { quarantineCommand } from './quarantine.ts';
import { redriveCommand } from './redrive.ts';
import { pauseCommand, resumeCommand, workersCommand } from './workers.ts';

/** What an incident takes, without a deployment; docs/runbook.md says when. */
export const incidentCommand = (admin: Admin) =>
  new Command('incident')
    .description('Looks into an incident, and acts on it without a deployment: workers, providers, jobs.')
    .addCommand(workersCommand(admin))
    .addCommand(pauseCommand(admin))
    .addCommand(resumeCommand(admin))
    .addCommand(redriveCommand(admin))
    .addCommand(drainCommand(admin))
    .addCommand(undrainCommand(admin))
    .addCommand(explainCommand(admin))
    .addCommand(quarantineCommand(admin))
    .addHelpText(
      'after',
      examplesText([
        'admin incident workers --stage prod',
        'admin incident pause poll-videos sweep-jobs --stage prod',
        'admin incident drain fal --stage prod',
      ]),
    );
