import type { JobStatus } from '../api/types.ts';
import { words } from '../parts/format.ts';
import { SelectField } from '../parts/select-field.tsx';
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
const ANY = ['', 'any'] as const;

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
      <SelectField
        label="Status"
        value={filter.status ?? ''}
        choices={[ANY, ...STATUSES.map((status) => [status, words(status)] as const)]}
        onChange={(status) => change({ ...filter, status: status === '' ? undefined : status })}
      />
      <SelectField
        label="Model"
        value={filter.model ?? ''}
        choices={[ANY, ...models.map(({ id, name }) => [id, name] as const)]}
        onChange={(model) => change({ ...filter, model: model === '' ? undefined : model })}
      />
    </div>
  );
}
