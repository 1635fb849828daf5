import type { JobStatus } from '../api/types.ts';
import { words } from '../parts/format.ts';
import { useModels } from './use-models.ts';

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly model?: string | undefined;
}

export const EVERYTHING: JobFilter = {};

const STATUSES: readonly JobStatus[] = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'expired',
];

interface FiltersProps {
  readonly filter: JobFilter;
  readonly onChange: (filter: JobFilter) => void;
}

export function Filters({ filter, onChange }: FiltersProps) {
  const { data: models = [] } = useModels();
  const change = (chosen: JobFilter) =>
    onChange(chosen.status === undefined && chosen.model === undefined ? EVERYTHING : chosen);
  return (
    <div class="filters">
      <label>
        <span>Status</span>
        <select
          value={filter.status ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const status = STATUSES.find((each) => each === value);
            change({ ...filter, status });
          }}
        >
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {words(status)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Model</span>
        <select
          value={filter.model ?? ''}
          onChange={({ currentTarget: { value } }) => {
            change({ ...filter, model: value === '' ? undefined : value });
          }}
        >
          <option value="">any</option>
          {models.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
