import { CircleCheck, X } from 'lucide-preact';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';

const SHOWN_MILLISECONDS = 6_000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

const Show = createContext<(text: string) => void>(() => undefined);
/** Says that something is done, wherever the reader is by then. */
export const useToast = () => useContext(Show);

export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const dismiss = (id: number) => setToasts((now) => now.filter((each) => each.id !== id));
  const show = (text: string) => {
    last.current += 1;
    const { current: id } = last;
    setToasts((now) => [...now, { id, text }]);
    setTimeout(() => dismiss(id), SHOWN_MILLISECONDS);
  };
  return (
    <Show.Provider value={show}>
      {children}
      <div class="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <div key={id} class="toast">
            <CircleCheck class="done" />
            {text}
            <button type="button" class="plain icon" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <X />
            </button>
          </div>
        ))}
      </div>
    </Show.Provider>
  );
}
