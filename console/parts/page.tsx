import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

interface PageProps {
  readonly title: string;
  /** The list that it is of: its path and its name. */
  readonly back?: readonly [path: string, name: string];
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Whether somebody has come from another page: what they pressed there is gone, or behind them. */
export const HasMoved = createContext(false);

export function Page({ title, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const hasMoved = useContext(HasMoved);
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${title} – Genway console`;
  }, [title]);
  return (
    <div class="page stack">
      {back !== undefined && (
        <Link href={back[0]} class="back">
          ← {back[1]}
        </Link>
      )}
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div class="actions">{actions}</div>
      </div>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  /** One sentence about it. */
  readonly about?: string;
  readonly children: ComponentChildren;
}

export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="section-heading">
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {children}
    </section>
  );
}

/** Goes to the page of what has just been done, unless whoever did it has left for another meanwhile. */
export function useGoOn(): (path: string) => void {
  const [, goTo] = useLocation();
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  return (path) => {
    if (isHere.current) goTo(path);
  };
}
