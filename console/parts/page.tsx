import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Whether somebody has come from another page: what they pressed there is gone, or behind them. */
export const HasMoved = createContext(false);

export function Page({ title, actions, children }: PageProps) {
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
