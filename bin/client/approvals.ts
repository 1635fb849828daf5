import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { apiCommand, examplesText, openApi, show } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';

const approvalSchema = v.looseObject({
  id: v.string(),
  action: v.string(),
  target: v.string(),
  request: v.record(v.string(), v.unknown()),
  status: v.string(),
  asked_by: v.string(),
  ends_at: v.string(),
});
const listSchema = v.looseObject({ data: v.array(approvalSchema), cursor: v.nullable(v.string()) });

type Approval = v.InferOutput<typeof approvalSchema>;

/** Whoever approves a change must have seen all of it. */
const linesOf = ({ id, action, target, request, status, asked_by: by, ends_at: end }: Approval): string[] => [
  `${id}  ${status.padEnd(8)}  ${action}  ${target}  requested by ${by}${status === 'pending' ? `  request expires ${end}` : ''}`,
  `  ${JSON.stringify(request)}`,
];

export const approvalsCommand = (cli: Cli) =>
  new Command('approvals')
    .description(
      'Lists, approves and refuses changes that await approval by a second key. Requires a management key.',
    )
    .addHelpText('after', examplesText(['approvals list', 'approvals approve apr_01m8…']))
    .addCommand(listApprovals(cli))
    .addCommand(
      decide(
        'approve',
        'Approves a change that a key of another line requested. The change then takes effect. A line is a key that no other key created, with its descendants and replacements.',
        cli,
      ),
    )
    .addCommand(decide('refuse', 'Refuses a requested change, so that it does not take effect.', cli));

const listApprovals = (cli: Cli) =>
  apiCommand(
    'list',
    'Lists changes that await approval, newest first.',
    ['approvals list --all'],
    'management_key',
  )
    .option('--all', 'include approved and refused changes that were requested in the last 24 hours')
    .action(async (options) => {
      const api = await openApi(options, 'management_key', cli);
      const data: Approval[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const before: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
        const page = await api.ask(`/approvals?limit=20${before}`, listSchema);
        data.push(...page.data.filter(({ status }) => options.all === true || status === 'pending'));
        next = page.cursor;
      }
      show({ data }, data.flatMap(linesOf), options.json, cli);
    });

const decide = (decision: 'approve' | 'refuse', description: string, cli: Cli) =>
  apiCommand(decision, description, [`approvals ${decision} apr_01m8…`], 'management_key')
    .argument('<id>', 'ID of the approval; to list the approvals, run npx genway approvals list')
    .action(async (id, options) => {
      const api = await openApi(options, 'management_key', cli);
      const path = `/approvals/${encodeURIComponent(id)}/${decision}`;
      const decided = await api.ask(path, v.looseObject({ data: approvalSchema }), { method: 'POST' });
      show(decided, linesOf(decided.data), options.json, cli);
    });
