import { useState } from 'preact/hooks';
import type { StoredFile } from '../api/types.ts';
import { Field } from '../parts/field.tsx';
import { Section } from '../parts/section.tsx';
import { SelectField } from '../parts/select-field.tsx';
import type { DraftReference, ReferenceKind } from './draft.ts';
import { InputDrop } from './input-drop.tsx';
import { INPUT_TYPES } from './input-types.ts';
import type { DraftProps } from './submit-form.tsx';

export function ReferenceFields({ model, draft, onChange }: DraftProps) {
  const kinds = model.supported_input_references;
  if (kinds.length === 0) return null;
  const fromFiles = kinds.filter((kind) => INPUT_TYPES[kind].length > 0);
  const add = (added: DraftReference) =>
    onChange(({ references }) => ({ references: [...references, added] }));
  return (
    <Section title="References">
      {fromFiles.length > 0 && (
        <InputDrop
          label={`Drop one to be like, or choose it: ${fromFiles.join(' or ')}`}
          types={fromFiles.flatMap((kind) => INPUT_TYPES[kind])}
          onInput={(input, { mime_type }) => add({ ...input, kind: kindOf({ mime_type }) })}
        />
      )}
      <AddressField kinds={kinds} onAdd={add} />
      <ul class="plain-list">
        {draft.references.map((reference) => (
          <li key={reference.url} class="chosen">
            {reference.kind}: <b>{reference.name}</b>
            <button
              type="button"
              aria-label={`Take away ${reference.name}`}
              onClick={() =>
                onChange(({ references }) => ({
                  references: references.filter((each) => each !== reference),
                }))
              }
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const kindOf = ({ mime_type }: Pick<StoredFile, 'mime_type'>): ReferenceKind =>
  mime_type.startsWith('audio/') ? 'audio' : 'image';

interface AddressFieldProps {
  readonly kinds: readonly ReferenceKind[];
  readonly onAdd: (reference: DraftReference) => void;
}

function AddressField({ kinds, onAdd }: AddressFieldProps) {
  const [url, setUrl] = useState('');
  const [kind, setKind] = useState<ReferenceKind>(kinds.at(-1) ?? 'image');
  return (
    <div class="columns">
      <Field label="Or an https address">
        {(field) => (
          <input
            {...field}
            type="url"
            placeholder="https://…"
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        )}
      </Field>
      <SelectField
        label="It is"
        value={kind}
        choices={kinds.map((each) => [each, each] as const)}
        onChange={setKind}
      />
      <button
        type="button"
        disabled={!url.startsWith('https://')}
        onClick={() => {
          onAdd({ kind, url, name: url });
          setUrl('');
        }}
      >
        Add
      </button>
    </div>
  );
}
