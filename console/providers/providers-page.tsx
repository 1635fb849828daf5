import { percent } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { StatusBadge } from '../parts/values.tsx';
import { NoModels, useModels } from '../videos/models.tsx';
import { healthOf, type OfferHealth } from './offer-health.ts';

const COLUMNS = ['Provider', 'Model', 'Status', 'Success rate', 'Median time'];

/** How the providers have done with this deployment's own jobs. */
export function ProvidersPage() {
  const models = useModels();
  return (
    <Page title="Providers">
      <p class="quiet">
        Success rates and times are based on recent jobs, at most 7 days old. A provider that gives no usable
        response to several submissions in a row rests for a while. New jobs wait or use another provider.
      </p>
      <Loaded query={models} what="providers">
        {(known) =>
          known.length === 0 ? (
            <NoModels title="No endpoints available" />
          ) : (
            <Table columns={COLUMNS} label="Provider status" rows={healthOf(known, new Date()).map(rowOf)} />
          )
        }
      </Loaded>
    </Page>
  );
}

function rowOf({ id, provider, model, status, successRate, samples, wait, ending }: OfferHealth): TableRow {
  return {
    key: id,
    cells: [
      provider,
      <span key="model">
        {model} <code>{id}</code>
      </span>,
      <span key="status">
        <StatusBadge status={status} />
        {ending !== undefined && <p class="warning">{ending}</p>}
      </span>,
      successRate === undefined ? (
        'No recent data'
      ) : (
        <div key="rate" class="gauge">
          <meter aria-label={`${id}: success rate`} low={0.8} optimum={1} value={successRate} />
          <small>
            {percent(successRate)} of {samples} {samples === 1 ? 'job' : 'jobs'}
          </small>
        </div>
      ),
      wait,
    ],
  };
}
