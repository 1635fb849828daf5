import { percent } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { StatusBadge } from '../parts/values.tsx';
import { NoModels, useModels } from '../videos/models.tsx';
import { healthOf, type OfferHealth } from './offer-health.ts';

const COLUMNS = ['Provider', 'Model', 'State', 'Jobs that got their video', 'Half of them within'];

/** How the providers have done with this deployment's own jobs. */
export function ProvidersPage() {
  const models = useModels();
  return (
    <Page title="Providers">
      <p class="quiet">
        Of the last week’s jobs here. A provider that does not answer rests for a while; jobs wait for it, or
        go to another.
      </p>
      <Loaded query={models} what="providers">
        {(known) =>
          known.length === 0 ? (
            <NoModels title="No provider can be used here" />
          ) : (
            <Table columns={COLUMNS} label="Health of providers">
              {healthOf(known, new Date()).map((row) => (
                <HealthRow key={row.id} health={row} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Page>
  );
}

function HealthRow({ health }: { readonly health: OfferHealth }) {
  const { id, provider, model, status, successRate, samples, wait, ending } = health;
  return (
    <tr>
      <th scope="row">{provider}</th>
      <td class="name">
        {model} <code>{id}</code>
      </td>
      <td>
        <StatusBadge status={status} />
        {ending !== undefined && <p class="warning">{ending}</p>}
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
