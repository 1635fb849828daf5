import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { shownWorkspaceSchema } from '../../functions/workspaces/shown-workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/workspaces.md');
const SETTINGS = 'test/videos/routing/workspace-settings.test.ts';
const POLICY = 'test/guardrails/workspace-policy.test.ts';
const LOGS = 'test/contract/private-logs.test.ts';
const BROADCAST = 'test/contract/broadcast.test.ts';
const DISCOUNT = 'test/contract/data-discount.test.ts';
const ENDPOINTS = 'test/contract/workspaces.test.ts';

/**
 * The test that shows a field's effect, with a part of its name; or, for a field without effect, what the page says
 * about it.
 */
type Proof = { readonly test: string; readonly named: string } | { readonly says: string };

const PROOFS: Readonly<Record<string, Proof>> = {
  id: { test: ENDPOINTS, named: 'found by id and by slug' },
  slug: { test: ENDPOINTS, named: 'cannot take a slug that another has' },
  default_provider_sort: { test: SETTINGS, named: 'sends a request that names no sort' },
  default_guardrail_id: { test: POLICY, named: 'is that of the guardrail which the workspace names' },
  include_byok_in_budgets: { test: SETTINGS, named: 'holds %i and costs %i of the budget' },
  is_data_discount_logging_enabled: { test: DISCOUNT, named: 'is estimated, held and paid at' },
  created_at: { test: 'test/workspaces/workspace.test.ts', named: 'with the documented defaults' },
  updated_at: { test: ENDPOINTS, named: 'sets what it names, clears what it nulls' },
  is_observability_io_logging_enabled: {
    test: LOGS,
    named: 'a management key reads the inputs and outputs',
  },
  io_logging_sampling_rate: {
    test: LOGS,
    named: 'of a workspace that logs a sample, jobs in the sample are logged',
  },
  io_logging_api_key_ids: { test: LOGS, named: 'logs other keys' },
  is_observability_broadcast_enabled: {
    test: BROADCAST,
    named: 'each ended job makes one span, while the workspace wants spans',
  },
  name: { says: 'a display name' },
  description: { says: 'a display text' },
  created_by: { says: 'of the management key that created it' },
  default_text_model: { says: 'has no effect' },
  default_image_model: { says: 'has no effect' },
  disabled_server_tools: { says: 'has no effect' },
};

const { video_retention_days: _ours, ...ofTheSpecification } = shownWorkspaceSchema.entries;
const FIELDS = Object.keys(ofTheSpecification);

test('all eighteen fields of a workspace have a proof', () => {
  expect(FIELDS).toHaveLength(18);
  expect(Object.keys(PROOFS).toSorted()).toEqual(FIELDS.toSorted());
});

describe.each(FIELDS)('%s', (field) => {
  const [row = ''] = PAGE.split('\n').filter((line) => line.startsWith(`| \`${field}\` |`));

  test('has a line in docs/workspaces.md that says what it does', () => {
    expect(row.split('|')[2]?.trim()).toMatch(/\w/);
  });

  const proof = PROOFS[field];
  if (proof !== undefined && 'says' in proof) {
    test('is documented to do nothing', () => {
      expect(row).toContain(proof.says);
    });
  } else {
    test(`is shown to have an effect by ${proof?.test}`, () => {
      const text = read(proof?.test ?? '');
      // The name must be a test's title: alone on its line, or right after the beginning of the test.
      expect(text).toMatch(
        new RegExp(`^ *(?:test(?:\\.each.*)?\\()?['"\`].*${RegExp.escape(proof?.named ?? '')}`, 'm'),
      );
      expect(text).toMatch(new RegExp(`\\b${field}\\b`));
    });
  }
});
