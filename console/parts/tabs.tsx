import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useRoute } from 'wouter-preact';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly children: ComponentChildren }[];
}

/** One of some views in the same place, with the keys that the ARIA practices give tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name }, place) => (
          <button
            key={name}
            id={`${id}-${place}`}
            type="button"
            role="tab"
            aria-selected={place === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={place === chosen ? 0 : -1}
            onClick={() => setChosen(place)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {tabs[chosen]?.children}
      </div>
    </div>
  );
}

interface PageTabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [path: string, name: string])[];
}

/** Parts of a page that have addresses of their own. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone it may be beside the screen.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {tabs.map(([path, name]) => (
        <PageTab key={path} path={path} name={name} />
      ))}
    </nav>
  );
}

function PageTab({ path, name }: { readonly path: string; readonly name: string }) {
  const [isHere] = useRoute(path);
  return (
    <Link href={path} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {name}
    </Link>
  );
}
