import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { styleFor } from '../../local/terminal/text.ts';
import { apiCommand, httpUrl, openApi, show, targetCommand, targetOf } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';
import { listen } from './listen.ts';

const LOOK_MILLISECONDS = 1_000;
const eventSchema = v.looseObject({ data: v.looseObject({ id: v.string() }) });

export const listenCommand = (cli: Cli) =>
  targetCommand(
    'listen',
    `Shows webhook deliveries of a workspace as they happen. Requires a management key. Press Ctrl-C to stop.
With --forward, also posts each new event once to the given URL. The secret that signs these requests is new in each run,
and is printed at the start.`,
    ['listen', 'listen --workspace studio --forward http://localhost:3000/hook'],
    'management_key',
  )
    .option('--json', 'print the bodies of events as JSON lines on stdout, and everything else on stderr')
    .option('--forward <url>', 'URL to forward events to, such as http://localhost:3000/hook')
    .option('--workspace <name>', 'workspace (ID or slug)', 'default')
    .action(async ({ json = false, workspace, forward, ...named }) => {
      const target = await targetOf(named, 'management_key', cli);
      const talk = json ? cli.stderr : cli.stdout;
      const signal = cli.interrupted;
      await listen(
        {
          ...target,
          workspace,
          json,
          forward: forward === undefined ? undefined : httpUrl(forward, '--forward'),
        },
        {
          fetch: cli.fetch,
          now: cli.now,
          randomBytes: cli.random,
          nextLook: () => wait(LOOK_MILLISECONDS, true, { signal }).catch(() => false),
          tell: (line) => talk.write(`${line}\n`),
          emit: (body) => cli.stdout.write(`${body}\n`),
          style: styleFor(talk),
        },
      );
    });

export const triggerCommand = (cli: Cli) =>
  apiCommand(
    'trigger',
    'Sends a webhook.test event. Requires a management key.',
    ['trigger --workspace studio', 'trigger --to https://example.com/genway'],
    'management_key',
  )
    .option('--to <url>', 'URL to send the event to (default: the default callback URL of the workspace)')
    .option('--workspace <name>', 'workspace (ID or slug)', 'default')
    .action(async (options) => {
      const api = await openApi(options, 'management_key', cli);
      const path = `/workspaces/${encodeURIComponent(options.workspace)}/webhook/test`;
      const json = options.to === undefined ? {} : { url: httpUrl(options.to, '--to') };
      const event = await api.ask(path, eventSchema, { json });
      show(event, [event.data.id], options.json, cli);
    });
