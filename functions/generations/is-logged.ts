import { createHash } from 'node:crypto';
import type { Workspace } from '../workspaces/workspace.ts';

/** What a workspace wants to have logged. */
export type LoggingSettings = Pick<
  Workspace,
  'is_observability_io_logging_enabled' | 'io_logging_sampling_rate' | 'io_logging_api_key_ids'
>;

/** Keys are named by their hash; null means all of them, an empty list none. */
export function isLogged(
  { id, key_hash }: { readonly id: string; readonly key_hash: string },
  settings: LoggingSettings,
): boolean {
  const keys = settings.io_logging_api_key_ids;
  if (!settings.is_observability_io_logging_enabled) return false;
  return (keys === null || keys.includes(key_hash)) && isSampled(id, settings.io_logging_sampling_rate);
}

/** The same id always gives the same answer. A sample is part of every larger one. */
export const isSampled = (id: string, rate: number): boolean => positionOf(id) < rate;

const BITS = 48;

/** At least 0 and less than 1. */
const positionOf = (id: string): number =>
  createHash('sha256')
    .update(id)
    .digest()
    .readUIntBE(0, BITS / 8) /
  2 ** BITS;
