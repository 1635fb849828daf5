import type { LucideIcon } from 'lucide-preact';
import { Ellipsis } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDisabled?: boolean;
  readonly kind?: 'danger';
  /** What it does at once. */
  readonly onSelect?: () => void;
  /** What it asks before. */
  readonly dialog?: {
    readonly title: string;
    readonly children: (close: () => void) => ComponentChildren;
  };
}

interface RowMenuProps {
  /** What the items are about, such as the name of the row. */
  readonly of: string;
  readonly items: readonly MenuItem[];
}

/** What can be done with a row. The dialog of an item outlives the menu, and gives the focus back to its button. */
export function RowMenu({ of, items }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<MenuItem['dialog']>();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const select = ({ onSelect, dialog }: MenuItem) => {
    close();
    onSelect?.();
    setAsked(dialog);
  };
  const leave = () => setAsked(undefined);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="plain icon"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Actions for ${of}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis />
      </button>
      {isOpen && <Menu of={of} items={items} button={button.current} onSelect={select} onClose={close} />}
      {asked !== undefined && (
        <Dialog title={asked.title} onClose={leave}>
          {asked.children(leave)}
        </Dialog>
      )}
    </>
  );
}

interface MenuProps extends RowMenuProps {
  readonly button: HTMLButtonElement | null;
  readonly onSelect: (item: MenuItem) => void;
  readonly onClose: () => void;
}

function Menu({ of, items, button, onSelect, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (menu.current !== null && button !== null) placeBelow(menu.current, button);
    menu.current?.querySelector('button')?.focus();
  }, []);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isInside = target instanceof Node && (menu.current?.contains(target) || button?.contains(target));
      if (!isInside) onClose();
    };
    // It would stay where it is while its row moves away.
    const events = ['pointerdown', 'scroll'] as const;
    for (const each of events) window.addEventListener(each, leave, true);
    return () => {
      for (const each of events) window.removeEventListener(each, leave, true);
    };
  }, []);
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      tabIndex={-1}
      aria-label={`Actions for ${of}`}
      onKeyDown={(event) => moveIn(event, onClose)}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          class={item.kind}
          disabled={item.isDisabled}
          onClick={() => onSelect(item)}
        >
          <item.icon />
          {item.label}
        </button>
      ))}
    </div>
  );
}

/** Its row may scroll in a frame of its own, which would cut off what is in it. */
function placeBelow(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const fitsBelow = bottom + height + 4 < window.innerHeight;
  menu.style.top = `${fitsBelow ? bottom + 4 : top - height - 4}px`;
  menu.style.left = `${Math.max(4, right - width)}px`;
}

/** The keys that the ARIA practices give a menu. */
function moveIn(event: KeyboardEvent, onClose: () => void): void {
  const { currentTarget, key } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  if (key === 'Escape' || key === 'Tab') {
    event.preventDefault();
    onClose();
    return;
  }
  const items: HTMLElement[] = [...currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const at = items.findIndex((item) => item.matches(':focus'));
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  };
  const next = steps[key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
