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
    .description('Examines an incident, and acts on it without a deployment: workers, providers, jobs.')
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
    `Lists the quarantined video jobs and webhook events: id, time, the provider's id of the job,
and why. Their callers see them as failed. A released one continues from its last step within three
minutes. A released job holds no money any more: you pay its cost. Its callers see its status change
again, and get its new end under another webhook-id.`,
    ['incident quarantine --stage prod', 'incident quarantine --release vid_…'],
  )
    .option('--release <id>', 'puts one back into the queue, after you have fixed the cause')
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
        'Nothing in quarantine has that id; run quarantine without --release to list all',
      );
    });
