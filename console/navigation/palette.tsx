import { LayoutGrid, type LucideIcon, Search } from 'lucide-preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.tsx';
import { Shortcut } from '../parts/values.tsx';
import { useSession, useWorkspaces } from '../session/session.tsx';
import { placesFor } from './places.ts';

interface Command {
  readonly name: string;
  readonly group: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

/** Goes to every page and workspace by a few letters of its name: Ctrl-K, or ⌘K. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button type="button" class="search-button" aria-label="Search" onClick={() => setOpen(true)}>
        <Search />
        <span>Search</span>
        <Shortcut name="K" />
      </button>
      {isOpen && (
        <Dialog title="Go to" onClose={() => setOpen(false)}>
          <Commands onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const found = useCommands().filter(({ name, group }) =>
    `${group} ${name}`.toLowerCase().includes(text.toLowerCase().trim()),
  );
  const chosen = Math.min(place, found.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onDone();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(found[chosen]);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || found.length === 0) return;
    event.preventDefault();
    const next = (chosen + step + found.length) % found.length;
    setPlace(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="stack">
      <input
        type="text"
        role="combobox"
        aria-label="Page or workspace"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        placeholder="Page or workspace"
        value={text}
        onKeyDown={press}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setPlace(0);
        }}
      />
      <div id={`${id}-list`} class="commands" role="listbox" aria-label="Results">
        {found.map((command, index) => (
          <button
            key={`${command.group} ${command.name}`}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            <command.icon />
            {command.name}
            <span class="quiet">{command.group}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">No results</p>}
    </div>
  );
}

function useCommands(): readonly Command[] {
  const { isManagement, chooseWorkspace } = useSession();
  const [, goTo] = useLocation();
  const pages = placesFor(isManagement).flatMap(({ name: group, places }) =>
    places.map(({ path, name, icon }) => ({ name, group, icon, run: () => goTo(path) })),
  );
  return [...pages, ...useWorkspaceCommands(chooseWorkspace)];
}

/** A key of one workspace may list none. */
function useWorkspaceCommands(choose: (id: string) => void): readonly Command[] {
  const { isManagement } = useSession();
  const { data: workspaces = [] } = useWorkspaces(isManagement);
  return workspaces.map(({ id, name }) => ({
    name,
    group: 'Switch workspace',
    icon: LayoutGrid,
    run: () => choose(id),
  }));
}
