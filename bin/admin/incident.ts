import { Command } from '@commander-js/extra-typings';
import { QuarantinedJobs } from '../../functions/videos/jobs/quarantine.ts';
import { EventQuarantine } from '../../functions/webhooks/events/sweep-event.ts';
import { examplesText } from '../cli/api-command.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand } from './admin.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { explainCommand } from './explain.ts';
import { drainCommand, undrainCommand } from './offers.ts';
import { pauseCommand, redriveCommand, resumeCommand, workersCommand } from './workers.ts';

/** The commands for an incident, none of which needs a deployment; docs/runbook.md says when to use them. */
export const incidentCommand = (admin: Admin) =>
  new Command('incident')
    .description(
      'Investigates and mitigates incidents that affect workers, providers or jobs, without redeploying the stage.',
    )
    .addCommand(workersCommand(admin))
    .addCommand(pauseCommand(admin))
    .addCommand(resumeCommand(admin))
    .addCommand(deadLettersCommand(admin))
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

const quarantineCommand = (admin: Admin) =>
  adminCommand(
    'quarantine',
    `Lists quarantined jobs and events, each with its ID, the time of quarantine, the ID at the provider (- if there is none),
and the reason. With --release, releases one. Callers see quarantined jobs as failed. A released job or event continues
within three minutes. Because the deadline of the job has passed, the job expires unless its provider has finished the
video. A released job has no hold, so the deployment pays, unless the job uses a provider key of its workspace. When the
job ends again, Genway sends another event with another webhook-id.`,
    ['incident quarantine --stage prod', 'incident quarantine --release vid_… --stage prod'],
  )
    .option('--release <id>', 'release this job or event; fix the cause first')
    .action(async ({ stage, release }) => {
      const { client, output } = await admin.open(stage);
      const tables = { jobs: output('JobsTable'), events: output('EventsTable') };
      const quarantines = [new QuarantinedJobs(client, tables), new EventQuarantine(client, tables.events)];
      if (release === undefined) {
        for (const quarantine of quarantines) {
          for await (const { id, at, reason, upstreamId = '-' } of quarantine.list()) {
            admin.print([id, at.slice(0, 16), upstreamId, reason].join('  '));
          }
        }
        return;
      }
      for (const quarantine of quarantines) {
        if (!(await quarantine.release(release, admin.now()))) continue;
        admin.print(`Released ${release}`);
        return;
      }
      throw new CommandFailed(
        'No job or event in quarantine has that ID; run quarantine without --release to list all of them',
      );
    });
