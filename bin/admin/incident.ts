import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { QuarantinedJobs } from '../../functions/videos/jobs/quarantine.ts';
import { EventQuarantine } from '../../functions/webhooks/events/sweep-event.ts';
import { examplesText } from '../cli/api-command.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand } from './admin.ts';
import { explainCommand } from './explain.ts';
import { drainCommand, undrainCommand } from './offers.ts';
import {
  deadLetterQueue,
  findWorkers,
  noLettersOf,
  pauseCommand,
  queueOfWorker,
  redriveCommand,
  resumeCommand,
  workersCommand,
} from './workers.ts';

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

const deadLettersCommand = (admin: Admin) =>
  adminCommand(
    'dead-letters',
    `Lists the dead letters of a worker, each with its ID, the time when it was sent, and its job or event. With --remove, deletes one. You
cannot restore a deleted dead letter, but a sweeper sends another message for its job or event, if a step is still due.`,
    [
      'incident dead-letters poll-videos --stage prod',
      'incident dead-letters poll-videos --remove 3f0c… --stage prod',
    ],
  )
    .argument('<worker>', 'worker with a queue: submit-jobs, poll-videos, copy-videos or deliver-events')
    .option('--remove <id>', 'delete this dead letter')
    .action(async (name, { stage, remove }) => {
      const { sqs, ...deployment } = await admin.open(stage);
      const source = queueOfWorker(name, await findWorkers({ sqs, ...deployment }));
      const url = await deadLetterQueue(source, sqs);
      const letters = url === undefined ? [] : await lookThrough(url, sqs, remove);
      if (remove === undefined) {
        for (const letter of letters) admin.print(letterLine(letter));
        if (letters.length === 0) admin.print(noLettersOf(name));
      } else if (letters.some(({ MessageId }) => MessageId === remove)) {
        admin.print(`Removed ${remove}`);
      } else {
        throw new CommandFailed(
          `No dead letter ${remove} of ${name} was found; if another command is reading it, try again in a minute`,
        );
      }
    });

/** SQS hides a message from others while it is looked at; a command that dies gives it back after this time. */
const LOOK_SECONDS = 60;
const MOST_AT_ONCE = 10;

/**
 * All dead letters of a queue, which SQS hands out ten at a time. Each is given back after the last was seen, because
 * SQS would hand out the first again. The one to remove is not given back.
 */
export async function lookThrough(
  QueueUrl: string,
  sqs: SQSClient,
  remove?: string,
): Promise<readonly Message[]> {
  const seen = new Map<string, Message>();
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: MOST_AT_ONCE,
        VisibilityTimeout: LOOK_SECONDS,
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
    );
    const before = seen.size;
    for (const message of Messages) seen.set(message.MessageId ?? '', message);
    if (seen.size === before) break;
  }
  for (const { MessageId, ReceiptHandle } of seen.values()) {
    const which = { QueueUrl, ReceiptHandle };
    await (MessageId === remove
      ? sqs.send(new DeleteMessageCommand(which))
      : sqs.send(new ChangeMessageVisibilityCommand({ ...which, VisibilityTimeout: 0 })));
  }
  return [...seen.values()];
}

const subjectSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.pipe(
      v.object({ job_id: v.string() }),
      v.transform(({ job_id }) => job_id),
    ),
    v.pipe(
      v.object({ event_id: v.string() }),
      v.transform(({ event_id }) => event_id),
    ),
  ]),
);

/** `3f0c…  2026-11-21T09:43:02.000Z  vid_…` */
export function letterLine({ MessageId = '', Attributes, Body }: Message): string {
  const sent = Number(Attributes?.SentTimestamp);
  const subject = v.safeParse(subjectSchema, Body);
  return [
    MessageId,
    Number.isNaN(sent) ? '-' : new Date(sent).toISOString(),
    subject.success ? subject.output : 'not a message from Genway',
  ].join('  ');
}
