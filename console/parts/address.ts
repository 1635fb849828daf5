import { useSyncExternalStore } from 'preact/compat';

/** What follows `#`: a path, and behind a `?` the filters of the page. */
const current = (): string => `/${window.location.hash.replace(/^#?\/?/, '')}`;

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** Fires the event that a click on a link fires, but before it returns. */
function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const before = window.location.href;
  if (replace) window.history.replaceState(null, '', `#${address}`);
  else window.history.pushState(null, '', `#${address}`);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: window.location.href }));
}

const part = (place: 0 | 1): string => current().split('?')[place] ?? '';

/** For wouter, whose own takes all that follows `#` for the path. */
export const usePath = Object.assign(
  (): [string, typeof goTo] => [useSyncExternalStore(subscribe, () => part(0)), goTo],
  { hrefs: (href: string) => `#${href}` },
);

type Filters<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

/** What the page is narrowed to. It is in the address: a reload keeps it, and a link carries it. */
export function useFilters<Name extends string>(
  ...names: readonly Name[]
): [Filters<Name>, (changed: Filters<Name>) => void] {
  const page = part(0);
  const search = useSyncExternalStore(subscribe, () => part(1));
  const known = new URLSearchParams(search);
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = known.get(name);
    if (value !== null) filters[name] = value;
  }
  const change = (changed: Filters<Name>) => {
    // What comes late must not change the address of another page.
    if (part(0) !== page) return;
    const next = Object.entries<string | undefined>({ ...filters, ...changed });
    const kept = next.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
    const query = new URLSearchParams(kept).toString();
    goTo(query === '' ? page : `${page}?${query}`, { replace: true });
  };
  return [filters, change];
}
