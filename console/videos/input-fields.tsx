import { useState } from 'preact/hooks';
import type { StoredFile } from '../api/types.ts';
import { Field, SelectField } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import {
  type DraftInput,
  type DraftProps,
  type DraftReference,
  type FrameType,
  mostReferences,
  type ReferenceKind,
} from './draft.ts';
import { INPUT_TYPES, InputDrop } from './input-drop.tsx';

const NAMES: Readonly<Record<FrameType, string>> = { first_frame: 'First frame', last_frame: 'Last frame' };

const CONTINUATIONS = { extend: 'is extended', edit: 'is edited as the prompt says' } as const;

/** What becomes of the video that the form was opened from. */
export function SourceField({ model, draft, onChange }: DraftProps) {
  const known = model.supported_continuations;
  if (draft.source === undefined || known.length === 0) return null;
  return (
    <Section title="Goes on with">
      <SelectField
        label={draft.source}
        value={draft.continuation}
        choices={[['', 'gives its last frame'], ...known.map((each) => [each, CONTINUATIONS[each]] as const)]}
        onChange={(continuation) => onChange({ continuation })}
      />
    </Section>
  );
}

export function FrameFields({ model, draft, onChange }: DraftProps) {
  if (model.supported_frame_images.length === 0) return null;
  const put = (type: FrameType, input: DraftInput) =>
    onChange(({ frames }) => ({ frames: { ...frames, [type]: input } }));
  const takeAway = (type: FrameType) =>
    onChange(({ frames: { [type]: _, ...others } }) => ({ frames: others }));
  return (
    <Section title="Frames">
      <div class="columns">
        {model.supported_frame_images.map((type) => {
          const frame = draft.frames[type];
          if (frame === undefined) {
            return (
              <InputDrop
                key={type}
                label={`${NAMES[type]}: drop an image or choose one`}
                types={INPUT_TYPES.image}
                onInput={(input) => put(type, input)}
              />
            );
          }
          return (
            <p key={type} class="chosen">
              {NAMES[type]}: <b>{frame.name}</b>
              <button
                type="button"
                aria-label={`Take away the ${words(type)}`}
                onClick={() => takeAway(type)}
              >
                ✕
              </button>
            </p>
          );
        })}
      </div>
    </Section>
  );
}

export function ReferenceFields({ model, draft, onChange }: DraftProps) {
  const all = model.supported_input_references;
  if (all.length === 0) return null;
  const count = (kind: ReferenceKind) => draft.references.filter((each) => each.kind === kind).length;
  const kinds = all.filter((kind) => count(kind) < mostReferences(model, kind));
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
      {kinds.length > 0 && <AddressField kinds={kinds} onAdd={add} />}
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
  const [chosen, setKind] = useState<ReferenceKind>();
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : (kinds.at(-1) ?? 'image');
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
