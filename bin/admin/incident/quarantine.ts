import { QuarantinedJobs } from '../../../functions/videos/jobs/quarantined-jobs.ts';
import { EventQuarantine } from '../../../functions/webhooks/events/event-quarantine.ts';
import { type Admin, adminCommand, CommandFailed } from '../command.ts';

export const quarantineCommand = (admin: Admin) =>
  adminCommand(
    'quarantine',
    `Lists the video jobs and the webhook events that could not be carried on: id, since when, the
provider's id of the work, and why. To their callers they have failed. One that is released is
carried on from where it stood, within three minutes. A job holds no money any more: what it
costs is yours. Callers can see its status change again, and its new end is told under the same
webhook-id.`,
    ['incident quarantine --stage prod', 'incident quarantine --release vid_…'],
  )
    .option('--release <id>', 'puts one back into the queue, once its cause is mended')
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
      throw new CommandFailed('Nothing in quarantine has that id; quarantine lists it all');
    });
