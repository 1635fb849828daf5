import { QuarantinedJobs } from '../../functions/videos/jobs/quarantined-jobs.ts';
import { type Admin, adminCommand, CommandFailed } from './command.ts';

export const quarantineCommand = (admin: Admin) =>
  adminCommand(
    'quarantine',
    `Lists the video jobs that could not be carried on: id, since when, the provider's id of the
work, and why. To their callers they have failed. One that is released is carried on from where
it stood, within three minutes. It holds no money any more: what it costs is yours. Callers can
see its status change again, and its new end is told under the same webhook-id.`,
    ['quarantine --stage prod', 'quarantine --release vid_…'],
  )
    .option('--release <id>', 'puts one back into the queue, once its cause is mended')
    .action(async ({ stage, release }) => {
      const { client, output } = await admin.open(stage);
      const jobs = new QuarantinedJobs(client, { jobs: output('JobsTable'), events: output('EventsTable') });
      if (release === undefined) {
        for await (const { id, at, reason, upstreamId = '-' } of jobs.list()) {
          admin.print([id, at.slice(0, 16), upstreamId, reason].join('  '));
        }
        return;
      }
      const isReleased = await jobs.release(release, admin.now());
      if (!isReleased) throw new CommandFailed('No job in quarantine has that id; quarantine lists them');
      admin.print(`Released ${release}`);
    });
