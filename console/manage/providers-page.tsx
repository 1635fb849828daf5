import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { percent } from '../parts/format.ts';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { useModels } from '../videos/use-models.ts';
import { type EndpointHealth, healthOf } from './endpoint-health.ts';

const COLUMNS = ['Provider', 'Model', 'State', 'Jobs that got their video', 'Half of them within'];

/** How the providers have done with this deployment's own jobs. */
export function ProvidersPage() {
  const { data: models, error } = useModels();
  const rows = healthOf(models ?? []);
  return (
    <Page title="Providers">
      <p class="quiet">
        Of the last week’s jobs here. A provider that does not answer rests for a while; jobs wait for it, or
        go to another.
      </p>
      <FailureNote error={error} />
      {models === undefined && error === null && <Loading what="providers" />}
      {models !== undefined && rows.length === 0 && (
        <EmptyState title="No provider can be used here">
          <p>
            The deployer names providers in <code>videos</code> of{' '}
            <code>config/stages/&lt;stage&gt;.json</code>.
          </p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table columns={COLUMNS} label="Health of providers">
          {rows.map((row) => (
            <HealthRow key={row.id} health={row} />
          ))}
        </Table>
      )}
    </Page>
  );
}

function HealthRow({ health }: { readonly health: EndpointHealth }) {
  const { id, provider, model, status, successRate, samples, wait } = health;
  return (
    <tr>
      <th scope="row">{provider}</th>
      <td class="name">
        {model} <code>{id}</code>
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td>
        {successRate === undefined ? (
          'none yet'
        ) : (
          <div class="left-bar">
            <meter
              aria-label={`${id}: jobs that got their video`}
              low={0.8}
              optimum={1}
              value={successRate}
            />
            <small>
              {percent(successRate)} of {samples}
            </small>
          </div>
        )}
      </td>
      <td>{wait}</td>
    </tr>
  );
}
