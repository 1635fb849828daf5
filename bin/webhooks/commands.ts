import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { styleFor } from '../../local/terminal/text.ts';
import { apiCommand, httpUrl, openApi, show, targetOf } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';
import { listen } from './listen.ts';

const LOOK_MILLISECONDS = 1_000;
const eventSchema = v.looseObject({ data: v.looseObject({ id: v.string() }) });

export const listenCommand = (cli: Cli) =>
  apiCommand(
    'listen',
    `Shows a workspace's webhook deliveries as they happen, for anyone without a public URL. With --forward it
also posts each event to a URL on this machine, signed like a real delivery. Ctrl-C ends it.

Each event is forwarded once, whatever the response. A new secret signs it, and is printed at the start.
It needs a management key. With --json each event's body is one line on stdout, and everything else is on stderr.`,
    ['listen', 'listen --workspace studio --forward http://localhost:3000/hook'],
  )
    .option('--forward <url>', "the URL to post each event's body to, such as http://localhost:3000/hook")
    .option('--workspace <name>', "the workspace's id or slug", 'default')
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
  apiCommand('trigger', 'Sends an event webhook.test to an address. It needs a management key.', [
    'trigger --workspace studio',
    'trigger --to https://example.com/genway',
  ])
    .option('--to <url>', "the address (default: the workspace's default address)")
    .option('--workspace <name>', "the workspace's id or slug", 'default')
    .action(async (options) => {
      const api = await openApi(options, 'management_key', cli);
      const path = `/workspaces/${encodeURIComponent(options.workspace)}/webhook/test`;
      const json = options.to === undefined ? {} : { url: httpUrl(options.to, '--to') };
      const event = await api.ask(path, eventSchema, { json });
      show(event, [event.data.id], options.json, cli);
    });
