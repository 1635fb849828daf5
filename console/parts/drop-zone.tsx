import { Upload } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface DropZoneProps {
  readonly label: string;
  /** What the file dialog offers, as `<input accept>` takes it. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: File[]) => void;
  readonly children?: ComponentChildren;
}

/** Takes files that are dropped on it, and is an ordinary file input for the keyboard. */
export function DropZone({ label, accept, multiple = false, onFiles, children }: DropZoneProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <label
      for={id}
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <Upload />
      <b>{label}</b> {children}
      <input
        id={id}
        class="spoken"
        type="file"
        multiple={multiple}
        {...(accept === undefined ? {} : { accept })}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Without this, a file that misses its drop zone opens in the tab, and a half-filled form is lost. */
export function ignoreMissedDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
