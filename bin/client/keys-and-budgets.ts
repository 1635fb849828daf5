import { Argument, Command, InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { apiCommand, examplesText, openApi, show } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';

const keySchema = v.looseObject({
  hash: v.string(),
  label: v.string(),
  name: v.string(),
  disabled: v.boolean(),
  expires_at: v.nullable(v.string()),
  usage: v.number(),
  limit: v.nullable(v.number()),
});
/** A management key that another one must approve first. */
const pendingSchema = v.looseObject({ id: v.string(), status: v.literal('pending') });
const budgetSchema = v.looseObject({
  reset_interval: v.nullable(v.string()),
  limit_usd: v.number(),
  used_usd: v.number(),
  remaining_usd: v.number(),
});
const oneOf = <const Schema extends v.GenericSchema>(schema: Schema) => v.looseObject({ data: schema });
const listOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.looseObject({ data: v.array(schema) });

type Key = v.InferOutput<typeof keySchema>;

export function keyState(
  { disabled, expires_at: expiry }: Pick<Key, 'disabled' | 'expires_at'>,
  now: Date,
): string {
  if (disabled) return 'disabled';
  return expiry !== null && new Date(expiry) <= now ? 'expired' : 'live';
}

function keyLine(key: Key, { now }: Cli): string {
  const { label, usage, limit, name, hash } = key;
  const money = `$${usage}${limit === null ? '' : ` of $${limit}`}`;
  return [label, keyState(key, now()).padEnd(8), money, name, hash].join('  ');
}

export const keysCommand = (cli: Cli) =>
  new Command('keys')
    .description('Lists, creates and disables keys. Requires a management key.')
    .addHelpText('after', examplesText(['keys list', 'keys create CI --limit 5', 'keys disable 9f86d0…']))
    .addCommand(listKeys(cli))
    .addCommand(createKey(cli))
    .addCommand(disableKey(cli));

/** The number of keys that the API reads for a page. */
const PAGE = 100;

const listKeys = (cli: Cli) =>
  apiCommand(
    'list',
    'Lists keys, oldest first.',
    ['keys list --all', 'keys list --workspace studio'],
    'management_key',
  )
    .option('--all', 'include disabled keys')
    .option(
      '--workspace <name>',
      'only keys of this workspace (ID or slug; default: all workspaces or, if your key is limited to some workspaces, the workspace of your key)',
    )
    .action(async (options) => {
      const api = await openApi(options, 'management_key', cli);
      const { all = false, workspace } = options;
      const data: Key[] = [];
      for (let offset = 0; ; offset += PAGE) {
        const query = new URLSearchParams({ include_disabled: String(all), offset: String(offset) });
        if (workspace !== undefined) query.set('workspace_id', workspace);
        const page = await api.ask(`/keys?${query}`, listOf(keySchema));
        // The API leaves out of a page what a limited key may not see, so only an empty page is the end.
        if (page.data.length === 0) break;
        data.push(...page.data);
      }
      const lines = data.map((key) => keyLine(key, cli));
      show({ data }, lines, options.json, cli);
    });

/** A list of options, which reads better whole. */
const createKey = (cli: Cli) =>
  apiCommand(
    'create',
    'Creates a key and prints it once.',
    [
      'keys create CI --workspace studio --limit 5',
      'keys create Dashboard --management --operations read --networks 203.0.113.0/24',
    ],
    'management_key',
  )
    .argument('<name>', 'display name of the key')
    .option(
      '--workspace <name>',
      'workspace of the key (ID or slug; default: the first of --workspaces, or the workspace of your key)',
    )
    .option('--limit <usd>', 'spending limit in USD, which never resets (default: no limit)', amount)
    .option('--management', 'create a management key (default: an API key)')
    .option(
      '--workspaces <names...>',
      'limit a management key to these workspaces (ID or slug; default: those of your key)',
    )
    .option(
      '--operations <names...>',
      'limit the key to these groups of operations, such as read; API keys can have only read, content, generate and webhooks (default: the groups of your key that the new key can have)',
    )
    .option(
      '--networks <blocks...>',
      'accept the key only from these CIDR blocks (default: those of your key)',
    )
    .option(
      '--expires-at <time>',
      'time of expiry, such as 2030-01-31T00:00:00Z (default: never; if your key has an expiry, required and no later than that expiry)',
    )
    .action(async (name, options) => {
      const api = await openApi(options, 'management_key', cli);
      const { workspace: workspace_id, limit, management, expiresAt: expires_at } = options;
      const { workspaces, operations, networks } = options;
      const json = { name, workspace_id, limit, management, expires_at };
      const scope = { workspaces, operations, networks };
      const schema = v.looseObject({ data: v.union([keySchema, pendingSchema]), key: v.string() });
      const made = await api.ask('/keys', schema, { json: { ...json, scope } });
      show(made, [made.key], options.json, cli);
      if (made.data.status !== 'pending') return;
      cli.stderr.write(
        `The key does not work until a management key of another line approves the request, which expires after 24 hours. To approve it with such a key, run npx genway approvals approve ${String(made.data.id)}\n`,
      );
    });

const disableKey = (cli: Cli) =>
  apiCommand(
    'disable',
    'Disables a key. To enable it again, send PATCH /keys/HASH with {"disabled":false}. If the deployment requires approvals, you cannot enable a management key again; create another one.',
    ['keys disable 9f86d0…'],
    'management_key',
  )
    .argument('<hash>', 'hash of the key; to list the keys, run npx genway keys list')
    .action(async (hash, options) => {
      const api = await openApi(options, 'management_key', cli);
      const request = { method: 'PATCH', json: { disabled: true } };
      const changed = await api.ask(`/keys/${encodeURIComponent(hash)}`, oneOf(keySchema), request);
      show(changed, [keyLine(changed.data, cli)], options.json, cli);
    });

const budgetLine = (budget: v.InferOutput<typeof budgetSchema>): string =>
  `${(budget.reset_interval ?? 'lifetime').padEnd(8)}  $${budget.limit_usd}  used $${budget.used_usd}  remaining $${budget.remaining_usd}`;

const budgetPath = (workspace: string, interval?: string): string =>
  `/workspaces/${encodeURIComponent(workspace)}/budgets${interval === undefined ? '' : `/${interval}`}`;

const interval = () =>
  new Argument('<interval>', 'how often the budget resets; lifetime: never').choices([
    'daily',
    'weekly',
    'monthly',
    'lifetime',
  ] as const);

const budgetSubcommand = (name: string, description: string, examples: readonly string[]) =>
  apiCommand(name, description, examples, 'management_key').option(
    '--workspace <name>',
    'workspace (ID or slug)',
    'default',
  );

export const budgetCommand = (cli: Cli) =>
  new Command('budget')
    .description('Shows, sets and deletes budgets of a workspace. Requires a management key.')
    .addHelpText(
      'after',
      examplesText(['budget show', 'budget set daily 5 --workspace studio', 'budget delete daily']),
    )
    .addCommand(showBudgets(cli))
    .addCommand(setBudget(cli))
    .addCommand(deleteBudget(cli));

const showBudgets = (cli: Cli) =>
  budgetSubcommand('show', 'Shows the budgets of a workspace.', ['budget show --workspace studio']).action(
    async (options) => {
      const api = await openApi(options, 'management_key', cli);
      const list = await api.ask(budgetPath(options.workspace), listOf(budgetSchema));
      show(list, list.data.map(budgetLine), options.json, cli);
    },
  );

const setBudget = (cli: Cli) =>
  budgetSubcommand('set', 'Sets or replaces the budget of a workspace for an interval.', [
    'budget set daily 5 --workspace studio',
  ])
    .addArgument(interval())
    .argument('<usd>', 'spending limit in USD per interval', amount)
    .action(async (when, limit_usd, options) => {
      const api = await openApi(options, 'management_key', cli);
      const request = { method: 'PUT', json: { limit_usd } };
      const set = await api.ask(budgetPath(options.workspace, when), oneOf(budgetSchema), request);
      show(set, [budgetLine(set.data)], options.json, cli);
    });

const deleteBudget = (cli: Cli) =>
  budgetSubcommand('delete', 'Deletes the budget of a workspace for an interval.', ['budget delete daily'])
    .alias('remove')
    .addArgument(interval())
    .action(async (when, options) => {
      const api = await openApi(options, 'management_key', cli);
      const schema = v.looseObject({ deleted: v.literal(true) });
      const deleted = await api.ask(budgetPath(options.workspace, when), schema, { method: 'DELETE' });
      show(deleted, [`The workspace ${options.workspace} now has no ${when} budget`], options.json, cli);
    });

function amount(text: string): number {
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text) && Number(text) <= 1_000_000_000) return Number(text);
  throw new InvalidArgumentError(
    'It must be an amount in USD of at most a billion, with at most 6 decimals, such as 0.25.',
  );
}
