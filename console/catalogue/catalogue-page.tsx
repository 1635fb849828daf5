import { CirclePause, CirclePlay, SearchX } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Offer } from '../api/types.ts';
import { WaitingChanges } from '../keys/waiting-changes.tsx';
import { useFilters } from '../parts/address.ts';
import { Field, SelectField } from '../parts/form.tsx';
import { percent, usd } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { healthOf, type OfferHealth } from '../providers/offer-health.ts';
import { useSession } from '../session/session.tsx';
import { useModels } from '../videos/models.tsx';
import { OFFER_STATUSES, type OfferStatus, statusOf } from './offer-status.ts';
import { useCatalogue } from './use-catalogue.ts';

const PRICES = ['Price per second', 'With audio'];
const COLUMNS = ['Model', 'Status', 'Success rate', ...PRICES, 'Resolutions', 'Verified'];

/** Every row of the catalogue: what it costs, whether it is in use, and when it retires. */
export function CataloguePage() {
  const catalogue = useCatalogue();
  const [filters, change] = useFilters('search', 'provider', 'status');
  const health = useHealth();
  const now = new Date();
  return (
    <Page title="Catalogue">
      <WaitingChanges ofKeys={false} />
      <Loaded query={catalogue} what="the catalogue" tall>
        {(offers) => {
          const rows = offers
            .map((offer) => ({ offer, health: health.get(offer.id) }))
            .map((each) => ({ ...each, status: statusOf(each.offer, each.health?.status, now) }))
            .filter(({ offer, status }) => matches(offer, status, filters));
          return (
            <>
              <Filters offers={offers} filters={filters} onChange={change} />
              {rows.length === 0 ? (
                <EmptyState icon={SearchX} title="No endpoints match these filters">
                  <p>Change the search, or choose another provider or status.</p>
                </EmptyState>
              ) : (
                providersOf(rows).map((provider) => (
                  <ProviderRows
                    key={provider}
                    provider={provider}
                    rows={rows.filter(({ offer }) => offer.provider === provider)}
                    isWanted={Object.values(filters).some((filter) => filter !== undefined)}
                  />
                ))
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** Those that the deployment has a key for come first. */
function providersOf(rows: readonly CatalogueRow[]): readonly string[] {
  const isUsed = (provider: string) =>
    rows.some(({ offer, status }) => offer.provider === provider && status !== 'not configured');
  const all = [...new Set(rows.map(({ offer }) => offer.provider))].toSorted();
  return [...all.filter(isUsed), ...all.filter((provider) => !isUsed(provider))];
}

interface ProviderRowsProps {
  readonly provider: string;
  readonly rows: readonly CatalogueRow[];
  /** Somebody looks for some of them. */
  readonly isWanted: boolean;
}

/** Open where the deployment calls one, or where somebody looks for one: of the rest, the names are enough. */
function ProviderRows({ provider, rows, isWanted }: ProviderRowsProps) {
  const isUsed = rows.some(({ status }) => status !== 'not configured');
  // The rest are not configured, paused or retired.
  const open = rows.filter(({ health }) => health !== undefined).length;
  return (
    <details class="group" open={isWanted || isUsed}>
      <summary>
        {provider}{' '}
        <span class="quiet">
          {rows.length} {rows.length === 1 ? 'endpoint' : 'endpoints'}, {open} offered
        </span>
      </summary>
      <Table columns={COLUMNS} amounts={PRICES} rows={rows.map(rowOf)} />
    </details>
  );
}

/** The endpoints that the deployment calls, and how they are. */
function useHealth(): ReadonlyMap<string, OfferHealth> {
  const { data: models = [] } = useModels();
  return new Map(healthOf(models, new Date()).map((each) => [each.id, each]));
}

interface CatalogueFilters {
  readonly search?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: string | undefined;
}

function matches(offer: Offer, status: OfferStatus, { search = '', ...wanted }: CatalogueFilters): boolean {
  const text = `${offer.id} ${offer.name}`.toLowerCase();
  return (
    text.includes(search.toLowerCase()) &&
    (wanted.provider ?? offer.provider) === offer.provider &&
    (wanted.status ?? status) === status
  );
}

interface FiltersProps {
  readonly offers: readonly Offer[];
  readonly filters: CatalogueFilters;
  readonly onChange: (changed: CatalogueFilters) => void;
}

function Filters({ offers, filters, onChange }: FiltersProps) {
  const providers = [...new Set(offers.map(({ provider }) => provider))].toSorted();
  return (
    <div class="filters">
      <Field label="Search">
        {(field) => (
          <input
            {...field}
            type="search"
            value={filters.search ?? ''}
            onInput={({ currentTarget }) => onChange({ search: currentTarget.value })}
          />
        )}
      </Field>
      <SelectField
        label="Provider"
        value={filters.provider ?? ''}
        choices={[['', 'All'], ...providers.map((each) => [each, each] as const)]}
        onChange={(provider) => onChange({ provider })}
      />
      <SelectField
        label="Status"
        value={filters.status ?? ''}
        choices={[['', 'All'], ...OFFER_STATUSES.map((each) => [each, each] as const)]}
        onChange={(status) => onChange({ status })}
      />
    </div>
  );
}

/** The lowest and the highest price at any resolution. The catalogue has them in micro-dollars. */
function priceOf({ price_per_second: prices }: Offer, sound: 'silent' | 'with_audio'): string {
  const { [sound]: usual, by_resolution = {} } = prices;
  const all = [usual, ...Object.values(by_resolution).map(({ [sound]: price }) => price)];
  const low = usd(Math.min(...all) / 1_000_000);
  const high = usd(Math.max(...all) / 1_000_000);
  return low === high ? low : `${low} – ${high}`;
}

interface CatalogueRow {
  readonly offer: Offer;
  readonly status: OfferStatus;
  /** Undefined where the deployment does not call it. */
  readonly health: OfferHealth | undefined;
}

function rowOf({ offer, status, health }: CatalogueRow): TableRow {
  return {
    key: offer.id,
    cells: [
      <span key="name">
        {offer.name} <code>{offer.id}</code>
      </span>,
      <span key="status">
        <StatusBadge status={status} />
        {offer.eol_at !== undefined && (
          <small class="quiet">
            {status === 'retired' || status === 'retiring' ? ' on ' : ' retires on '}
            <When at={offer.eol_at} />
            {offer.successor !== undefined && `; its successor is ${offer.successor}`}
          </small>
        )}
      </span>,
      health?.successRate === undefined
        ? '–'
        : `${percent(health.successRate)} of ${health.samples} ${health.samples === 1 ? 'job' : 'jobs'}`,
      priceOf(offer, 'silent'),
      offer.audio === 'never' ? '–' : priceOf(offer, 'with_audio'),
      offer.resolutions.join(', '),
      offer.checked_at === undefined ? '–' : <When key="verified" at={offer.checked_at} />,
    ],
    menu: <OfferMenu offer={offer} />,
  };
}

function OfferMenu({ offer: { id, name, paused } }: { readonly offer: Offer }) {
  const { api } = useSession();
  const toast = useToast();
  const turn = useAction(
    () => {
      const [provider = '', ...rest] = id.split('/');
      const params = { path: { provider, name: rest.join('/') } };
      return answered(api.PATCH('/endpoints/{provider}/{name}', { params, body: { paused: !paused } }));
    },
    ['catalogue', 'models', 'approvals'],
    ({ data }) => {
      if ('asked_by' in data) return toast(`The change to ${name} is waiting for approval`);
      toast(`${name} ${paused ? 'resumed' : 'paused'}`);
    },
  );
  const item = paused
    ? { label: 'Resume', icon: CirclePlay, onSelect: () => turn.mutate(undefined) }
    : { label: 'Pause', icon: CirclePause, onSelect: () => turn.mutate(undefined) };
  return (
    <>
      <RowMenu of={id} items={[item]} />
      <FailureNote error={turn.error} />
    </>
  );
}
