import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { SecretOnce } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';

export interface NewSecret {
  readonly title: string;
  /** What it is, as in “Copy the key”. */
  readonly what: string;
  readonly secret: string;
  /** What to do when it is copied. @default nothing */
  readonly next?: (close: () => void) => ComponentChildren;
}

const ShowSecret = createContext<(secret: NewSecret) => void>(() => undefined);
export const useShowSecret = () => useContext(ShowSecret);

/** Shows what no other answer shows, also when the page or dialog that asked for it has been left meanwhile. */
export function ShownSecrets({ children }: { readonly children: ComponentChildren }) {
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  const [first] = secrets;
  const close = () => setSecrets((now) => now.filter((each) => each !== first));
  return (
    <ShowSecret.Provider value={(secret) => setSecrets((now) => [...now, secret])}>
      {children}
      {first !== undefined && (
        <Dialog key={first.secret} title={first.title} onClose={close} stays>
          <div class="stack">
            <SecretOnce what={first.what} secret={first.secret} />
            {first.next?.(close) ?? (
              <button type="button" onClick={close}>
                Done
              </button>
            )}
          </div>
        </Dialog>
      )}
    </ShowSecret.Provider>
  );
}
